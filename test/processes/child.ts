import path from 'node:path'
import { root } from '../root.ts'
import type { Program } from './program.ts'
import { type WatchedProcess, watchProcess } from './watched-process.ts'

/** A Node process that runs a file of ours. It ends with its parent at the latest. */
export interface Child extends Pick<WatchedProcess, 'pid' | 'printed' | 'tell'> {
  /** Whole lines printed so far. */
  lines(): string[]
  /** SIGKILL, and waits until it is gone and all that it printed has arrived. */
  kill(): Promise<void>
}

const running = new Set<Child>()

/** Kills what is still running; for `afterAll`. */
export async function endChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.kill()))
}

/**
 * @param args of the program.
 * @param waits whether it reads lines of ours: such a file sees to its end itself.
 */
export function startChild({ file, nodeOptions }: Program, args: readonly string[], { waits = false } = {}): Child {
  const ends = waits ? [] : ['--import', path.join(root, 'test/processes/end-with-parent.mjs')]
  const { pid, printed, tell, out, signal, ended } = watchProcess(file, [...nodeOptions, ...ends, file, ...args])
  const started: Child = {
    pid,
    printed,
    tell,
    lines: () => out().split('\n').slice(0, -1),
    async kill() {
      signal('SIGKILL')
      await ended
      running.delete(started)
    },
  }
  running.add(started)
  return started
}
