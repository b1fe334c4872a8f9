import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { showProgress } from '../progress.ts'
import { type ForgePullRequest, forgePullRequest } from './forge-pull-requests.ts'
import type { ImportTarget } from './import-target.ts'

const batchSize = 500

/**
 * Imports pull requests from the JSON that `gh pr list --json …` and `glab mr list --output json` print: a list, or one
 * pull request per line. Invalid pull requests are reported with their number and skipped. A pull request that was
 * imported before is replaced if it has changed since. Run an interrupted import again to complete it.
 *
 * @param file `-` for standard input.
 */
export async function importPullRequests(file: string, target: ImportTarget, terminal: Terminal): Promise<void> {
  const { api, projectKey } = target
  const values = valuesIn(await inputOf(file, terminal), file)
  const tally = { added: 0, known: 0, skipped: 0 }
  const progress = showProgress(terminal.stderr, 'pull requests', values.length)
  try {
    for (let start = 0; start < values.length; start += batchSize) {
      terminal.signal.throwIfAborted()
      const pullRequests: ForgePullRequest[] = []
      for (const [index, value] of values.slice(start, start + batchSize).entries()) {
        const read = forgePullRequest(value)
        if (typeof read !== 'string') pullRequests.push(read)
        else {
          tally.skipped++
          terminal.stderr.write(`pull request ${start + index + 1}: ${read}; skipped\n`)
        }
      }
      const { added, known } = await api.createPullRequests({ body: { projectKey, pullRequests } })
      tally.added += added
      tally.known += known
      progress.update(Math.min(start + batchSize, values.length))
    }
  } finally {
    progress.end()
  }
  terminal.stdout.write(`${tally.added} added or changed, ${tally.known} already present, ${tally.skipped} skipped\n`)
}

async function inputOf(file: string, { stdin }: Terminal): Promise<string> {
  if (file === '-') return stdin ? text(stdin) : ''
  return readFile(file, 'utf8').catch((error) => {
    throw cliError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  })
}

function valuesIn(input: string, file: string): unknown[] {
  const trimmed = input.replace(/^\uFEFF/, '').trim()
  try {
    if (trimmed.startsWith('[')) return JSON.parse(trimmed)
    return trimmed === '' ? [] : trimmed.split('\n').map((line) => JSON.parse(line))
  } catch (error) {
    throw cliError(`${file === '-' ? 'standard input' : file} is neither a JSON list nor JSON lines`, error)
  }
}
