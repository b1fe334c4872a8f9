import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { hrefOf, Link } from '../../navigation.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import type { ExperimentKeys } from './experiment-place.ts'
import { ExperimentResults } from './experiment-results.tsx'

type Experiment = ResponseOf<'getExperiment'>
type Iteration = NonNullable<Experiment['currentIteration']>

const { experiments } = texts

/** An experiment with its design and its results. */
export function ExperimentPage({ params }: { params: Readonly<Record<string, string>> }) {
  const { project = '', environment = '', experiment = '' } = params
  const keys = { projectKey: project, environmentKey: environment, experimentKey: experiment }
  const query = useQuery(`experiment ${JSON.stringify(keys)}`, () =>
    api.getExperiment({ ...keys, expand: 'draftIteration,treatments' }),
  )
  const iteration = query.data && iterationOf(query.data)
  return (
    <>
      <PageTitle title={query.data?.name ?? experiment}>
        {query.data && iteration && <Actions keys={keys} experiment={query.data} iteration={iteration} />}
      </PageTitle>
      <p>
        <Link href={hrefOf('experiments', { project, environment })}>{experiments.all}</Link>
      </p>
      <QueryView query={query}>
        {({ description }) => (
          <>
            {description && <p>{description}</p>}
            {iteration && <Design iteration={iteration} project={project} environment={environment} />}
            {iteration?.startedAt !== undefined && <ExperimentResults keys={keys} name={query.data?.name ?? ''} />}
          </>
        )}
      </QueryView>
    </>
  )
}

/** Returns the current or the last iteration; without one, the draft that has not started yet. */
function iterationOf({ currentIteration, draftIteration }: Experiment): Iteration | undefined {
  return currentIteration ?? draftIteration
}

function Actions({
  keys,
  experiment: { key, name },
  iteration,
}: {
  keys: ExperimentKeys
  experiment: Experiment
  iteration: Iteration
}) {
  const resource = `proj/${keys.projectKey}:env/${keys.environmentKey}:experiment/${key}`
  return (
    <>
      {iteration.status === 'not_started' && (
        <ConfirmedAction
          label={experiments.start}
          action="updateExperiment"
          resource={resource}
          question={experiments.startQuestion(name)}
          run={() => api.patchExperiment({ ...keys, body: { instructions: [{ kind: 'startIteration' }] } })}
        />
      )}
      {iteration.status === 'running' && (
        <DialogAction label={experiments.stop} action="updateExperiment" resource={resource}>
          {(close) => <StopForm keys={keys} iteration={iteration} onClose={close} />}
        </DialogAction>
      )}
      {iteration.status === 'stopped' && (
        <ConfirmedAction
          label={experiments.archive}
          action="updateExperimentArchived"
          resource={resource}
          question={experiments.archiveQuestion(name)}
          run={() => api.patchExperiment({ ...keys, body: { instructions: [{ kind: 'archiveExperiment' }] } })}
        />
      )}
    </>
  )
}

function StopForm({ keys, iteration, onClose }: { keys: ExperimentKeys; iteration: Iteration; onClose: () => void }) {
  const treatments = iteration.treatments ?? []
  const [winner, setWinner] = useState(treatments.find(({ baseline }) => baseline)?._id ?? '')
  const [reason, setReason] = useState('')
  const stop = async () => {
    const instruction = { kind: 'stopIteration' as const, winningTreatmentId: winner, winningReason: reason }
    await api.patchExperiment({ ...keys, body: { instructions: [instruction] } })
    onClose()
  }
  return (
    <ActionForm submit={experiments.stop} onSubmit={stop} onCancel={onClose}>
      <SelectField
        label={experiments.winner}
        value={winner}
        onValue={setWinner}
        options={treatments.map(({ _id, name }) => [_id, name] as const)}
      />
      <TextField label={experiments.reason} value={reason} onValue={setReason} required />
    </ActionForm>
  )
}

function Design({
  iteration: { status, hypothesis, flags, treatments = [], randomizationUnit },
  project,
  environment,
}: {
  iteration: Iteration
  project: string
  environment: string
}) {
  return (
    <section class="panel">
      <p>
        <span class="status">{experiments.states[status]}</span> · {experiments.unit}: {randomizationUnit}
      </p>
      {hypothesis && <p>{hypothesis}</p>}
      <p>
        {experiments.flag}:{' '}
        {Object.keys(flags).map((flag) => (
          <Link key={flag} class="tag" href={hrefOf('flag', { project, environment, flag })}>
            {flag}
          </Link>
        ))}
      </p>
      <ul>
        {treatments.map(({ _id, name, allocationPercent, baseline }) => (
          <li key={_id}>
            {name}: {allocationPercent} % {baseline && <span class="tag">{experiments.control}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
