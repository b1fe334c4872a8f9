import { type ApprovalRequest, api, type Flag } from '../../api.ts'
import { DataTable } from '../../components/data-table.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { dateOf, Time } from '../../components/time.tsx'
import { listAll } from '../../list-all.ts'
import { hrefOf, Link } from '../../navigation.tsx'
import { flagOf } from '../../review/reviewed-change.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { instructionNames } from '../instruction-list.tsx'

interface Place {
  readonly project: string
  readonly environment: string
}

/** The next change of a flag and its time; without a time it waits for a person. */
interface Step {
  readonly key: string
  readonly flagKey: string
  /** Name of the flag; undefined while only the key is known. */
  readonly name?: string
  readonly tab: 'releases' | 'pending'
  readonly what: string
  readonly next: string
  readonly at?: string | number | undefined
}

const { board } = texts

/** Everything that is under way in an environment: releases, scheduled changes and approval requests, by time. */
export function BoardPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', ...params }
  const steps = useQuery(`board ${JSON.stringify(place)}`, async () => {
    const steps = (
      await Promise.all([automatedSteps(place), pipelineSteps(place), scheduledSteps(place), requestSteps(place)])
    )
      .flat()
      .toSorted((a, b) => timeOf(a) - timeOf(b))
    return withNames(place.project, steps)
  })
  return (
    <>
      <PageTitle title={board.title} />
      <p class="quiet">{board.help}</p>
      <section class="panel">
        <QueryView query={steps}>
          {(items) => (
            <DataTable
              label={board.title}
              columns={board.columns}
              empty={board.empty}
              rows={items.map(({ key, flagKey, name, tab, what, next, at }) => ({
                key,
                cells: [
                  <Link key="flag" href={hrefOf('flag', { ...place, flag: flagKey }, { tab })}>
                    {name}
                  </Link>,
                  what,
                  next,
                  at === undefined ? board.noTime : <Time key="time" value={at} />,
                ],
              }))}
            />
          )}
        </QueryView>
      </section>
    </>
  )
}

/** Steps without a time, which wait for a person, are first. */
function timeOf({ at }: Step): number {
  return at === undefined ? 0 : dateOf(at).getTime()
}

function flagsBy({ project, environment }: Place, filter: string): Promise<Flag[]> {
  return listAll((page) => api.listFlags({ projectKey: project, env: environment, filter, ...page }))
}

/** Number of keys in one request for flags, so that its address stays short. */
const keysPerRequest = 50

/** Adds the names of flags to the steps that contain only the keys. */
async function withNames(project: string, steps: readonly Step[]): Promise<(Step & { readonly name: string })[]> {
  const keys = [...new Set(steps.filter(({ name }) => name === undefined).map(({ flagKey }) => flagKey))]
  const names = new Map<string, string>()
  for (let start = 0; start < keys.length; start += keysPerRequest) {
    const filter = `key:${keys.slice(start, start + keysPerRequest).join('+')},state:live+deprecated+archived`
    const { items } = await api.listFlags({ projectKey: project, filter, limit: keysPerRequest })
    for (const { key, name } of items) names.set(key, name)
  }
  return steps.map((step) => ({ ...step, name: step.name ?? names.get(step.flagKey) ?? step.flagKey }))
}

/** Automated releases that have not ended: progressive and guarded ones. */
async function automatedSteps(place: Place): Promise<Step[]> {
  const flags = await flagsBy(place, `releasingIn:${place.environment}`)
  return flags.flatMap(({ key, name, environments }) =>
    (environments?.[place.environment]?.automatedReleases ?? []).map(
      ({ id, kind, status, stages, latestStageIndex, nextStepAt, reason }) => {
        const following = stages[latestStageIndex + 1]
        const isHeld = status === 'held'
        return {
          key: id,
          flagKey: key,
          name,
          tab: 'releases',
          what: board.release(
            texts.automated.kinds[kind] ?? kind,
            texts.automated.statuses[status] ?? status,
            percentOf(stages[latestStageIndex]?.allocation),
          ),
          next: isHeld ? board.resume(reason) : following ? board.stage(percentOf(following.allocation)) : board.end,
          at: nextStepAt,
        }
      },
    ),
  )
}

function percentOf(allocation = 0): string {
  return String(allocation / 1_000)
}

/** Phases of release pipelines that are running, or that a person can start. */
async function pipelineSteps({ project, environment }: Place): Promise<Step[]> {
  const pipelines = await listAll((page) => api.listReleasePipelines({ projectKey: project, ...page }))
  const releases = await Promise.all(
    pipelines.map(({ key }) =>
      listAll((page) => api.listReleases({ projectKey: project, pipelineKey: key, filter: 'status:active', ...page })),
    ),
  )
  const steps = releases.flat().map(async ({ flagKey }) => {
    const { name, phases } = await api.getRelease({ projectKey: project, flagKey })
    return phases
      .filter(({ status, _audiences }) => {
        const isHere = _audiences.some((audience) => audience.environment?.key === environment)
        return isHere && status !== 'NotStarted' && status !== 'Complete'
      })
      .map(
        ({ _id, _name, status, _audiences }): Step => ({
          key: _id,
          flagKey,
          tab: 'releases',
          what: board.phase(name, _name, texts.releases.statuses[status] ?? status),
          next: board.phaseSteps[status] ?? '',
          at: _audiences.find(({ nextStepAt }) => nextStepAt !== undefined)?.nextStepAt,
        }),
      )
  })
  return (await Promise.all(steps)).flat()
}

async function scheduledSteps(place: Place): Promise<Step[]> {
  const flags = await flagsBy(place, `scheduledIn:${place.environment}`)
  const keys = { projectKey: place.project, environmentKey: place.environment }
  const steps = flags.map(async ({ key, name }) => {
    const changes = await listAll((page) => api.listScheduledChanges({ ...keys, flagKey: key, ...page }))
    return changes.map(({ _id, executionDate, instructions, failure }): Step => {
      const what = failure ? texts.pending.failed(failure.reason) : board.scheduled
      const next = board.instructions(instructionNames(instructions))
      return { key: _id, flagKey: key, name, tab: 'pending', what, next, at: executionDate }
    })
  })
  return (await Promise.all(steps)).flat()
}

async function requestSteps({ project, environment }: Place): Promise<Step[]> {
  const filter = `projectKey equals ${project},resourceKind equals flag,status anyOf [pending, scheduled]`
  const requests = await listAll((page) => api.listApprovalRequests({ filter, ...page }))
  return requests.flatMap((request): Step[] => {
    const place = flagOf(request.resourceId)
    if (place?.environment !== environment) return []
    const { _id, description } = request
    const next = nextOf(request)
    const at = request.executionDate
    return [
      {
        key: _id,
        flagKey: place.flag,
        tab: 'pending',
        what: board.request(description ?? ''),
        next,
        at,
      },
    ]
  })
}

function nextOf({ status, reviewStatus }: ApprovalRequest): string {
  if (status === 'scheduled') return board.application
  return reviewStatus === 'approved' ? board.apply : board.review
}
