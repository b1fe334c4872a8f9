import { readFile } from 'node:fs/promises'
import type { ApiError } from '@halyard/core'
import * as v from 'valibot'
import { cliError, interruptedError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { readScannerCsv } from './code-references-csv.ts'
import type { ImportTarget } from './import-target.ts'
import { type CodeReference, referencesByFile, type Scan } from './scan.ts'

const codeReferences = v.object({
  repository: v.pipe(v.string(), v.minLength(1)),
  commit: v.string(),
  committedAtMs: v.number(),
  references: v.array(
    v.object({
      flagKey: v.string(),
      files: v.array(v.object({ path: v.string(), lines: v.array(v.number()) })),
    }),
  ),
})

export type CodeReferences = v.InferOutput<typeof codeReferences>

/**
 * Imports code references from a JSON file, `{repository, commit, committedAtMs, references: [{flagKey, files}]}`, or
 * from the CSV file of a scanner. They replace the code references of the default branch in one call, so an interrupted
 * import changes nothing.
 */
export async function importCodeReferences(file: string, target: ImportTarget, terminal: Terminal): Promise<void> {
  const scan = file.endsWith('.csv') ? await readScannerCsv(file, terminal) : scanOf(await readReferences(file))
  if (terminal.signal.aborted) throw interruptedError('nothing was changed')
  const tally = await writeScan(scan, target)
  const skipped = scan.skipped === 0 ? '' : `; ${scan.skipped} skipped`
  terminal.stdout.write(`${tally.flags} flags, ${tally.files} files, ${tally.lines} lines${skipped}\n`)
}

async function readReferences(file: string): Promise<CodeReferences> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw cliError(code ? `cannot read ${file}: ${code}` : `${file} is not valid JSON`, error)
  }
  const result = v.safeParse(codeReferences, value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw cliError(`${file}: ${v.getDotPath(issue) ?? 'the file'} is invalid`)
}

function scanOf({ repository, commit, committedAtMs, references }: CodeReferences): Scan {
  return {
    repository,
    head: commit,
    syncTime: committedAtMs,
    commitTime: committedAtMs,
    references: referencesByFile(flatten(references)),
    skipped: 0,
  }
}

function* flatten(references: CodeReferences['references']): Generator<CodeReference> {
  for (const { flagKey, files } of references) {
    for (const { path, lines } of files) for (const line of lines) yield { path, flagKey, startingLineNumber: line }
  }
}

/** Writes the references as the default branch of their repository, replacing its references. */
export function writeCodeReferences(data: CodeReferences, target: ImportTarget) {
  return writeScan(scanOf(data), target)
}

async function writeScan(scan: Scan, { api, projectKey }: ImportTarget) {
  const { head, syncTime, commitTime } = scan
  const references = scan.references.map(({ path, hunks }) => ({
    path,
    hunks: hunks.map((hunk) => ({ ...hunk, projKey: projectKey })),
  }))
  const branch = await ensureRepository(scan.repository, api)
  await api.putBranch({
    repo: scan.repository,
    branch,
    body: { name: branch, head, syncTime, ...(commitTime === undefined ? {} : { commitTime }), references },
  })
  const hunks = references.flatMap((file) => file.hunks)
  return { flags: new Set(hunks.map(({ flagKey }) => flagKey)).size, files: references.length, lines: hunks.length }
}

/** Returns the default branch of a repository, which is created when it does not exist. */
async function ensureRepository(name: string, api: ImportTarget['api']): Promise<string> {
  try {
    return (await api.getRepository({ repo: name })).defaultBranch
  } catch (error) {
    if ((error as ApiError).code !== 'not_found') throw error
    const isOnGithub = /^[\w.-]+\/[\w.-]+$/.test(name)
    const repository = await api.createRepository({
      body: {
        name,
        type: isOnGithub ? 'github' : 'custom',
        ...(isOnGithub ? { sourceLink: `https://github.com/${name}` } : {}),
      },
    })
    return repository.defaultBranch
  }
}
