import path from 'node:path'
import { root } from '../root.ts'
import type { Program } from './program.ts'
import { type WatchedProcess, watchProcess } from './watched-process.ts'

/** A Node process that runs a file of this repository and ends at the latest with its parent. */
export interface Child extends Pick<WatchedProcess, 'pid' | 'printed' | 'writeLine'> {
  /** Returns the complete lines printed so far. */
  lines(): string[]
  /** Sends SIGKILL and waits until the process has ended and all of its output has arrived. */
  kill(): Promise<void>
}

const running = new Set<Child>()

/** Kills all children that still run; for `afterAll`. */
export async function killChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.kill()))
}

/**
 * Starts a child process.
 *
 * @param args arguments of the program.
 * @param waits true for a program that reads lines from the test: it must end itself when its input closes.
 */
export function startChild({ file, nodeOptions }: Program, args: readonly string[], { waits = false } = {}): Child {
  const preload = waits ? [] : ['--import', path.join(root, 'test/processes/end-with-parent.mjs')]
  const { pid, printed, writeLine, out, signal, ended } = watchProcess(file, [
    ...nodeOptions,
    ...preload,
    file,
    ...args,
  ])
  const child: Child = {
    pid,
    printed,
    writeLine,
    lines: () => out().split('\n').slice(0, -1),
    async kill() {
      signal('SIGKILL')
      await ended
      running.delete(child)
    },
  }
  running.add(child)
  return child
}
