import { api, type ResponseOf } from '../../api.ts'
import { ConfirmedAction } from '../../components/dialog-action.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { hrefOf, Link } from '../../navigation.tsx'
import { currentEnvironment } from '../../place.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'

type Phase = ResponseOf<'getRelease'>['phases'][number]
type PhaseStatus = Phase['status']

const { releases } = texts

/** The actions for a phase in each status: a label, and the status that the action sets. */
const actions: Readonly<Record<PhaseStatus, readonly (readonly [label: string, status: PhaseStatus])[]>> = {
  NotStarted: [],
  ReadyToStart: [[releases.start, 'Started']],
  Started: [
    [releases.hold, 'Paused'],
    [releases.complete, 'Complete'],
  ],
  Paused: [[releases.resume, 'Started']],
  Complete: [],
}

/** The release of a flag by a pipeline: its phases with their actions, and the time of the next step. */
export function FlagRelease({ project, flag }: { project: string; flag: string }) {
  const keys = { projectKey: project, flagKey: flag }
  const release = useQuery(`release ${project} ${flag}`, () => api.getRelease(keys))
  const resource = `proj/${project}:env/*:flag/${flag}`
  const environment = currentEnvironment.value?.environment
  return (
    <section class="entry" aria-label={releases.show(flag)}>
      <div class="row middle">
        {environment ? <Link href={hrefOf('flag', { project, environment, flag })}>{flag}</Link> : <span>{flag}</span>}
        <ConfirmedAction
          label={releases.stop}
          action="removeReleasePipeline"
          resource={resource}
          danger
          question={releases.stopQuestion(flag)}
          run={() => api.deleteRelease(keys)}
        />
      </div>
      <QueryView query={release}>
        {({ phases }) => (
          <ol class="phases">
            {phases.map((phase) => (
              <li key={phase._id} class={phase.status === 'Started' ? 'phase current' : 'phase'}>
                <PhaseView phase={phase} project={project} flag={flag} resource={resource} />
              </li>
            ))}
          </ol>
        )}
      </QueryView>
    </section>
  )
}

function PhaseView({
  phase: { _id, _name, _audiences, status },
  project,
  flag,
  resource,
}: {
  phase: Phase
  project: string
  flag: string
  resource: string
}) {
  return (
    <>
      <p>
        <strong>{_name}</strong> · <span class="status">{releases.statuses[status] ?? status}</span>
      </p>
      {_audiences.map((audience) => (
        <p key={audience._id} class="quiet">
          {releases.audience(
            audience.name,
            audience.environment?.name ?? '',
            releases.audienceStatuses[audience.status] ?? '',
          )}
          {audience.nextStepAt !== undefined && (
            <>
              {' · '}
              {releases.nextStep}: <Time value={audience.nextStepAt} />
            </>
          )}
        </p>
      ))}
      <div class="row">
        {actions[status].map(([label, next]) => (
          <ConfirmedAction
            key={next}
            label={label}
            action="updateReleasePhaseStatus"
            resource={resource}
            question={releases.phaseQuestion(label, _name, flag)}
            run={() => api.putPhaseStatus({ projectKey: project, flagKey: flag, phaseId: _id, body: { status: next } })}
          />
        ))}
      </div>
    </>
  )
}
