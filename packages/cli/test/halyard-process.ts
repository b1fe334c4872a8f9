import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

const main = path.resolve(import.meta.dirname, '../src/main.ts')

export interface HalyardProcess {
  /** Everything printed so far. */
  readonly out: () => string
  readonly err: () => string
  /** Resolves with the first match in what is printed; rejects when the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  signal(signal: NodeJS.Signals): void
  /** Exit code, or undefined after a signal that it did not handle. */
  readonly ended: Promise<number | undefined>
}

/** Starts the command as a process of its own, which ends with the test at the latest. */
export function halyard(args: readonly string[], env: Record<string, string> = {}): HalyardProcess {
  const child = spawn(process.execPath, ['--conditions=@halyard/source', '--import', 'tsx', main, ...args], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, HALYARD_LOG: 'json', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  let over = false
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    tell()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
    tell()
  })
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('close', (code) => {
      over = true
      tell()
      resolve(code ?? undefined)
    })
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    out: () => out,
    err: () => err,
    ended,
    signal: (signal) => child.kill(signal),
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(out)
          if (found || over) listeners.delete(look)
          if (found) resolve(found)
          else if (over) reject(new Error(`ended without ${pattern}:\n${out}\n${err}`))
        }
        listeners.add(look)
        look()
      }),
  }
}

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
