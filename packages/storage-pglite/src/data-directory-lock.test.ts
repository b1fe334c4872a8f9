import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockDataDirectory } from './data-directory-lock.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns the pid of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid
}

function leaveLock(file: string, id: string, pid = deadPid()): void {
  writeFileSync(file, JSON.stringify({ id, pid, host: hostname(), started: null }))
}

describe('the lock of a data directory', () => {
  it('is one file beside the directory, which is removed on release', () => {
    const folder = temporaryFolder()
    const lock = lockDataDirectory(path.join(folder, 'data'))
    expect(readdirSync(folder)).toEqual(['data.lock'])
    expect(JSON.parse(readFileSync(path.join(folder, 'data.lock'), 'utf8'))).toMatchObject({
      pid: process.pid,
      host: hostname(),
    })
    lock.release()
    lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not released by an owner that has lost it', () => {
    const directory = path.join(temporaryFolder(), 'data')
    const lock = lockDataDirectory(directory)
    leaveLock(`${directory}.lock`, 'another')
    lock.release()
    expect(existsSync(`${directory}.lock`)).toBe(true)
  })

  it('is taken over from a process that died while it took over the lock', () => {
    const folder = temporaryFolder()
    leaveLock(path.join(folder, 'data.lock'), 'first')
    leaveLock(path.join(folder, 'data.lock.after-first'), 'second')
    leaveLock(path.join(folder, 'data.lock.after-first.after-second'), 'third')
    lockDataDirectory(path.join(folder, 'data'))
    expect(readdirSync(folder)).toEqual(['data.lock'])
  })

  it('is not taken while another process is taking it over', () => {
    const folder = temporaryFolder()
    leaveLock(path.join(folder, 'data.lock'), 'first')
    leaveLock(path.join(folder, 'data.lock.after-first'), 'second', process.pid)
    expect(() => lockDataDirectory(path.join(folder, 'data'))).toThrow(`in use by process ${process.pid}`)
  })

  it('that cannot be parsed leads to an error that explains what to do', () => {
    const directory = path.join(temporaryFolder(), 'data')
    writeFileSync(`${directory}.lock`, '{')
    expect(() => lockDataDirectory(directory)).toThrow(/cannot read the lock file .*data\.lock.*remove the file/)
  })

  it('left by a dead process goes to exactly one of three simultaneous processes, in two hundred rounds', async () => {
    const folder = temporaryFolder()
    const contenders = Array.from({ length: 3 }, () => startContender())
    const pid = deadPid()
    for (let round = 0; round < 200; round++) {
      const directory = path.join(folder, `data-${round}`)
      leaveLock(`${directory}.lock`, 'dead', pid)
      const taken = await Promise.all(contenders.map((contender) => tryToLock(contender, directory)))
      expect(taken.filter(Boolean), `round ${round}`).toHaveLength(1)
    }
  }, 60_000)
})

function startContender(): ChildProcess {
  const contender = fork(fileURLToPath(new URL('./data-directory-lock.contender.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  onTestFinished(() => void contender.kill())
  return contender
}

async function tryToLock(contender: ChildProcess, directory: string): Promise<boolean> {
  contender.send(directory)
  const [{ taken }] = await once(contender, 'message')
  return taken
}
