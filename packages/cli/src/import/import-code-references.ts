import { readFile } from 'node:fs/promises'
import type { ApiError } from '@halyard/core'
import * as v from 'valibot'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import type { ImportTarget } from './import-target.ts'

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

/** Imports code references from a JSON file: `{repository, commit, committedAtMs, references: [{flagKey, files}]}`. */
export async function importCodeReferences(file: string, target: ImportTarget, terminal: Terminal): Promise<void> {
  const tally = await writeCodeReferences(await readReferences(file), target)
  terminal.stdout.write(`${tally.flags} flags, ${tally.files} files, ${tally.lines} lines\n`)
}

async function readReferences(file: string): Promise<CodeReferences> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw cliError(code ? `cannot read ${file}: ${code}` : `${file} is not valid JSON`, error)
  }
  const checked = v.safeParse(codeReferences, value)
  if (checked.success) return checked.output
  const [issue] = checked.issues
  throw cliError(`${file}: ${v.getDotPath(issue) ?? 'the file'} is not as expected`)
}

/** The branch that references belong to when the data does not say. */
const branch = 'main'

/** Writes the references as the default branch of their repository, which replaces what was there. */
export async function writeCodeReferences(data: CodeReferences, { api, projectKey }: ImportTarget) {
  const files = new Map<string, Hunk[]>()
  let lines = 0
  for (const { flagKey, files: named } of data.references) {
    for (const file of named) {
      lines += file.lines.length
      const hunks = file.lines.map((line) => ({ startingLineNumber: line, projKey: projectKey, flagKey }))
      files.set(file.path, [...(files.get(file.path) ?? []), ...hunks])
    }
  }
  await ensureRepository(data.repository, api)
  await api.putBranch({
    repo: data.repository,
    branch,
    body: {
      name: branch,
      head: data.commit,
      syncTime: data.committedAtMs,
      commitTime: data.committedAtMs,
      references: [...files].map(([path, hunks]) => ({ path, hunks })),
    },
  })
  return { flags: data.references.length, files: files.size, lines }
}

interface Hunk {
  readonly startingLineNumber: number
  readonly projKey: string
  readonly flagKey: string
}

async function ensureRepository(name: string, api: ImportTarget['api']): Promise<void> {
  try {
    await api.getRepository({ repo: name })
  } catch (error) {
    if ((error as ApiError).code !== 'not_found') throw error
    const hosted = /^[\w.-]+\/[\w.-]+$/.test(name)
    await api.createRepository({
      body: {
        name,
        type: hosted ? 'github' : 'custom',
        ...(hosted ? { sourceLink: `https://github.com/${name}` } : {}),
        defaultBranch: branch,
      },
    })
  }
}
