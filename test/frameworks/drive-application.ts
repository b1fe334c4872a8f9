import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { RunCommands } from './run-commands.ts'
import { freePort, startShell, untilServing } from './shell.ts'

/** The commands in the README of an application, and the texts that the page shows according to the README. */
export interface Readme {
  readonly install: string
  readonly start: string
  readonly change: string
  readonly before: string
  readonly after: string
}

/**
 * Reads the README of an application.
 *
 * @throws Error when its form differs from the READMEs of the other applications.
 */
export function readReadme(folder: string): Readme {
  const text = readFileSync(path.join(folder, 'README.md'), 'utf8')
  const [install, start, change, ...more] = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block)
  const [, before] = /It shows (.+?)\./.exec(text) ?? []
  const [, after] = /page shows (.+?)(?= when it is loaded again| immediately|\.)/.exec(text) ?? []
  if (!install || !start || !change || more.length > 0 || !before || !after)
    throw new Error(`${folder}/README.md: three blocks of commands and what the page shows before and after`)
  return { install, start, change, before, after }
}

export interface DriveOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Runs the commands that change the flag. */
  readonly run: RunCommands
  /** Returns the heading that the page shows. Default: that of the response. */
  readonly headingAt?: (url: string) => Promise<string>
  /** Uses the application after its page shows the change, e.g. opens other pages. */
  readonly afterwards?: (url: string) => Promise<void>
}

/**
 * Starts an application by the first commands of its README, changes the flag by the next ones, and expects the page to
 * show the texts of the README.
 */
export async function driveApplication(
  folder: string,
  { env = {}, run, headingAt = headingOfResponse, afterwards }: DriveOptions,
): Promise<void> {
  const { start, change, before, after } = readReadme(folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const application = startShell(start, { cwd: folder, env: { ...env, PORT: String(port) } })
  try {
    await untilServing(url, application)
    await expect.poll(() => headingAt(url), { timeout: 60_000 }).toBe(before)
    await run(change.replaceAll('localhost:3000', `127.0.0.1:${port}`))
    await expect.poll(() => headingAt(url)).toBe(after)
    await afterwards?.(url)
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${application.output()}`, { cause: error })
  } finally {
    await application.stop()
  }
}

async function headingOfResponse(url: string): Promise<string> {
  const text = await (await fetch(url)).text()
  const [, heading = text] = /<h1[^>]*>(.*?)<\/h1>/s.exec(text) ?? []
  return heading.replaceAll(/<[^>]*>/g, '').trim()
}
