import type { ImportTarget } from './import-target.ts'

/** One change that reached a release. Times are integer ms, UTC. */
export interface ReleasedChange {
  readonly application: string
  readonly version: string
  readonly externalId: string
  readonly startedAt: number
  readonly mergedAt: number
  readonly deployedAt: number
}

export interface ImportTally {
  /** Number of changes that this import stored. */
  added: number
  /** Number of changes that an earlier import already stored. */
  known: number
  deployments: number
}

export interface LeadTimeImporter {
  readonly tally: Readonly<ImportTally>
  add(change: ReleasedChange): Promise<void>
  /** Writes the changes that are still pending. */
  finish(): Promise<void>
}

const batchSize = 2000

/**
 * Writes changes in batches, and each release as a deployment. Every row has an id of its own, so a row that was
 * imported before changes nothing, and an interrupted import is completed by running it again.
 */
export function leadTimeImporter(target: ImportTarget): LeadTimeImporter {
  const { api, projectKey, environmentKey } = target
  const tally: ImportTally = { added: 0, known: 0, deployments: 0 }
  const releases = new Set<string>()
  let pending: ReleasedChange[] = []

  async function flush(): Promise<void> {
    if (pending.length === 0) return
    const samples = pending.map(({ application, version, ...sample }) => ({ ...sample, applicationKey: application }))
    await deploy(pending)
    pending = []
    const response = await api.createLeadTimeSamples({ body: { projectKey, environmentKey, samples } })
    tally.added += response.added
    tally.known += response.known
  }

  async function deploy(changes: readonly ReleasedChange[]): Promise<void> {
    const newReleases = changes.filter(({ application, version }) => {
      const release = `${application} ${version}`
      return !releases.has(release) && releases.add(release)
    })
    if (newReleases.length === 0) return
    await api.createDeploymentEvents({ body: { projectKey, environmentKey, events: newReleases.map(finishedEvent) } })
    tally.deployments += newReleases.length
  }

  return {
    tally,
    async add(change) {
      pending.push(change)
      if (pending.length >= batchSize) await flush()
    },
    finish: flush,
  }
}

/**
 * Returns the event of a finished deployment for a release. Characters that a version may not contain become hyphens.
 */
export function finishedEvent(release: Pick<ReleasedChange, 'application' | 'version' | 'deployedAt'>) {
  return {
    applicationKey: release.application,
    version: release.version.replace(/[^A-Za-z0-9._-]/g, '-'),
    eventType: 'finished',
    eventTime: release.deployedAt,
  } as const
}

export function tallyText({ added, known, deployments }: ImportTally, skipped: number): string {
  return `${added} added, ${known} already present, ${skipped} skipped; ${deployments} releases`
}
