import { existsSync, readFileSync } from 'node:fs'

/**
 * When a process started, as a text that no other process of this machine shares: a pid is soon given to another one,
 * and after a reboot all of them are.
 *
 * @returns undefined when there is no such process, null where the system does not tell (no `/proc`).
 */
export function processStart(pid: number): string | undefined | null {
  if (!existsSync('/proc/self/stat')) return null
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The name of the program comes second, in parentheses, and may itself hold spaces and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie has ended; its parent has not looked yet.
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
