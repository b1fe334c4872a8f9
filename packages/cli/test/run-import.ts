import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import type { FlagFormat } from '@halyard/import'
import { writeProject } from '@halyard/import'
import { createMemoryStorage } from '@halyard/storage-memory'
import { onTestFinished } from 'vitest'
import { readJsonValues } from '../src/import/read-json-values.ts'
import { runCli } from '../src/run-cli.ts'
import { capturedTerminal } from './captured-terminal.ts'

export const exported = (name: string) => path.resolve(import.meta.dirname, 'exports', name)

/** Returns the JSON of an export. */
export const contentOf = (name: string) => JSON.parse(readFileSync(exported(name), 'utf8'))

/** Returns a directory that is deleted after the test. */
function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'halyard-import-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Runs `halyard import` with these arguments. */
export async function runImport(args: readonly string[], stdin = '') {
  const { terminal, out, err } = capturedTerminal(stdin)
  const code = await runCli(['import', ...args], terminal)
  return { code, out: out(), err: err() }
}

/** Returns the verdicts of an import that writes nothing, by flag. */
export async function verdictsOf(format: string, file: string, contexts: number): Promise<Record<string, string[]>> {
  const report = path.join(temporaryDirectory(), 'report.json')
  const args = [format, exported(file), '--dry-run', '--compare', String(contexts), '--report', report]
  const { code, err } = await runImport(args)
  if (code !== 0) throw new Error(err)
  const { flags } = JSON.parse(readFileSync(report, 'utf8')) as ReportedFlags
  return Object.fromEntries(flags.map(({ key, comparisons }) => [key, comparisons.map(({ verdict }) => verdict)]))
}

interface ReportedFlags {
  readonly flags: readonly { readonly key: string; readonly comparisons: readonly { readonly verdict: string }[] }[]
}

/** Reads an export. */
export async function readExport(format: FlagFormat, file: string, environmentKey?: string) {
  const read = format.read(await readJsonValues(exported(file), capturedTerminal().terminal), { environmentKey })
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  return read.importedProject
}

/** Writes an export to an engine of its own, and returns a function that evaluates flags of an environment. */
export async function importedEngine(format: FlagFormat, file: string, environmentKey: string) {
  const importedProject = await readExport(format, file)
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => Date.UTC(2026, 1, 1) })
  onTestFinished(() => engine.close())
  const api = engine.as({ role: 'owner' })
  await api.createProject({ body: { key: 'shop', name: 'Shop' } })
  const write = () => {
    return writeProject(
      importedProject,
      { api, projectKey: 'shop' },
      { signal: new AbortController().signal, onProgress: () => {} },
    )
  }
  const written = await write()
  const flags = engine.evaluator<Record<string, unknown>>({ projectKey: 'shop', environmentKey })
  await flags.ready()
  const evaluate = (flag: string, attributes: object, preset?: unknown) =>
    flags.evaluate(flag, { kind: 'user', key: 'kim', ...attributes }, preset).value
  return { moved: importedProject, api, ask: evaluate, written, write }
}
