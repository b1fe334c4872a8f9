import path from 'node:path'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { showProgress } from '../progress.ts'
import { git } from './git.ts'
import type { ImportTarget } from './import-target.ts'
import { leadTimeImporter, tallyText } from './lead-time-importer.ts'

export interface GitImport {
  readonly directory: string
  /** Key of the application; default: the directory's name. */
  readonly application: string | undefined
  /** A glob for `git tag --list`; default: tags with a version number that is not a pre-release. */
  readonly tags: string | undefined
}

interface Release {
  readonly tag: string
  readonly releasedAt: number
}

/**
 * Imports the history of a git repository. Each tag is a release, and the commits that no earlier release contains are
 * its changes. A change starts when it was authored and is merged when it was committed.
 */
export async function importGit(request: GitImport, target: ImportTarget, terminal: Terminal): Promise<void> {
  const application = request.application ?? applicationKey(request.directory)
  const releases = await releasesOf(request, terminal.signal)
  if (releases.length === 0) {
    throw cliError(`${request.directory} has no tags that name a release; specify them with --tags '<glob>'`)
  }
  const importer = leadTimeImporter(target)
  const progress = showProgress(terminal.stderr, 'releases', releases.length)
  try {
    for (const [done, release] of releases.entries()) {
      const earlier = releases.slice(0, done).map(({ tag }) => `^refs/tags/${tag}`)
      for await (const change of changesOf(request.directory, release, earlier, terminal.signal)) {
        await importer.add({ ...change, application, version: release.tag, deployedAt: release.releasedAt })
      }
      progress.update(done + 1)
    }
    await importer.finish()
  } finally {
    progress.end()
  }
  terminal.stdout.write(`${application}: ${tallyText(importer.tally, 0)}\n`)
}

function applicationKey(directory: string): string {
  const name = path.basename(path.resolve(directory)).replace(/[^A-Za-z0-9._-]/g, '-')
  return name.replace(/^[^A-Za-z0-9]+/, '') || 'application'
}

/** Matches `v1.2.3`, `pkg@1.2`, `release-7.0`; not `v2.0.0-rc.1`. */
const versionTag = /(^|[^0-9A-Za-z])v?\d+(\.\d+)+$/

async function releasesOf({ directory, tags }: GitImport, signal: AbortSignal): Promise<Release[]> {
  const format = '--format=%(creatordate:unix) %(refname:strip=2)'
  const args = ['for-each-ref', '--sort=creatordate', format, `refs/tags/${tags ?? ''}`]
  const releases: Release[] = []
  for await (const line of git({ directory, args }, signal)) {
    const separator = line.indexOf(' ')
    const tag = line.slice(separator + 1)
    if (tags !== undefined || versionTag.test(tag))
      releases.push({ tag, releasedAt: Number(line.slice(0, separator)) * 1000 })
  }
  return releases
}

async function* changesOf(directory: string, { tag }: Release, earlier: readonly string[], signal: AbortSignal) {
  const args = ['log', '--no-merges', '--format=%H %at %ct', '--stdin']
  for await (const line of git({ directory, args }, signal, [`refs/tags/${tag}`, ...earlier])) {
    const [commit = '', authored, committed] = line.split(' ')
    yield { externalId: commit, startedAt: Number(authored) * 1000, mergedAt: Number(committed) * 1000 }
  }
}
