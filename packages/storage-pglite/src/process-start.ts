import { existsSync, readFileSync } from 'node:fs'

/**
 * Returns the start of a process as a text that no other process of this machine has. A pid alone does not identify a
 * process, because pids are used again, and all of them after a reboot.
 *
 * @returns undefined when there is no such process, null when the system does not provide it (no `/proc`).
 */
export function processStart(pid: number): string | undefined | null {
  if (!existsSync('/proc/self/stat')) return null
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The program's name is the second field, in parentheses, and may contain spaces and parentheses itself.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie has ended, but its parent has not collected its exit status yet.
  if (state === 'Z' || state === 'X') return undefined
  const ticksSinceBoot = fields[18]
  return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${ticksSinceBoot}`
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
