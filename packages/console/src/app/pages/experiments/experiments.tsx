import { useState } from 'preact/hooks'
import { api, type Flag } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextArea, TextField } from '../../components/fields.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { listAll } from '../../list-all.ts'
import { hrefOf, Link, navigate } from '../../navigation.tsx'
import { variationName } from '../../targeting/variation-name.ts'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { useQuery } from '../../use-query.ts'
import { keyFor } from '../create-flag.tsx'
import type { ExperimentPlace } from './experiment-place.ts'
import { HoldoutTable } from './holdout-table.tsx'
import { LayerTable } from './layer-table.tsx'

const { experiments } = texts

/** The experiments and holdouts of an environment, and the layers of its project. */
export function ExperimentsPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', ...params }
  const keys = { projectKey: place.project, environmentKey: place.environment }
  const list = useList(`experiments ${place.project} ${place.environment}`, (page) =>
    api.getExperiments({ ...keys, ...page, expand: 'draftIteration' }),
  )
  return (
    <>
      <PageTitle title={experiments.title}>
        <DialogAction
          label={experiments.create}
          action="createExperiment"
          resource={`proj/${place.project}:env/${place.environment}:experiment/*`}
          kind="primary"
        >
          {(close) => <CreateExperiment place={place} onClose={close} />}
        </DialogAction>
      </PageTitle>
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={experiments.title}
            columns={experiments.columns}
            empty={experiments.empty}
            rows={items.map(({ key, name, currentIteration, draftIteration }) => {
              const iteration = currentIteration ?? draftIteration
              return {
                key,
                cells: [
                  <Link key="name" href={hrefOf('experiment', { ...place, experiment: key })}>
                    {name}
                  </Link>,
                  iteration && experiments.states[iteration.status],
                  iteration?.startedAt !== undefined && <Time value={iteration.startedAt} />,
                  iteration?.primaryMetric?.key,
                ],
              }
            })}
          />
        )}
      </ListView>
      <HoldoutTable place={place} />
      <LayerTable project={place.project} />
    </>
  )
}

function CreateExperiment({ place, onClose }: { place: ExperimentPlace; onClose: () => void }) {
  const [flagKey, setFlagKey] = useState('')
  const metrics = useQuery(`metrics of ${place.project}`, () =>
    listAll((page) => api.getMetrics({ projectKey: place.project, ...page })),
  )
  const flag = useQuery(`flag of experiment ${place.project} ${flagKey}`, async () =>
    flagKey === '' ? undefined : api.getFlag({ projectKey: place.project, flagKey }).catch(() => undefined),
  )
  return (
    <>
      <TextField label={experiments.flag} value={flagKey} onValue={setFlagKey} required />
      <QueryView query={metrics}>
        {(items) =>
          flag.data ? (
            <DesignForm
              place={place}
              flag={flag.data}
              metricKeys={items.map(({ key, name }) => [key, name] as const)}
              onClose={onClose}
            />
          ) : null
        }
      </QueryView>
    </>
  )
}

/** Splits 100 percent into equal parts, and adds the remainder to the first one. */
function equalShares(count: number): readonly string[] {
  const share = Math.floor(100 / count)
  return Array.from({ length: count }, (_, index) => String(index === 0 ? 100 - share * (count - 1) : share))
}

function DesignForm({
  place,
  flag,
  metricKeys,
  onClose,
}: {
  place: ExperimentPlace
  flag: Flag
  metricKeys: readonly (readonly [string, string])[]
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [hypothesis, setHypothesis] = useState('')
  const [metric, setMetric] = useState(metricKeys[0]?.[0] ?? '')
  const [control, setControl] = useState(flag.variations.at(-1)?._id ?? '')
  const [unit, setUnit] = useState('user')
  const create = async () => {
    const shares = equalShares(flag.variations.length)
    const treatments = flag.variations.map((variation, index) => ({
      name: variationName(variation),
      baseline: variation._id === control,
      allocationPercent: shares[index] ?? '0',
      parameters: [{ flagKey: flag.key, variationId: variation._id }],
    }))
    const flagConfigVersion = flag.environments?.[place.environment]?.version ?? 1
    const key = keyFor(name)
    await api.createExperiment({
      projectKey: place.project,
      environmentKey: place.environment,
      body: {
        key,
        name,
        iteration: {
          hypothesis,
          metrics: [{ key: metric, isGroup: false }],
          primarySingleMetricKey: metric,
          treatments,
          flags: { [flag.key]: { ruleId: 'fallthrough', flagConfigVersion } },
          randomizationUnit: unit,
        },
      },
    })
    onClose()
    navigate(hrefOf('experiment', { ...place, experiment: key }))
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextArea label={experiments.hypothesis} value={hypothesis} onValue={setHypothesis} />
      <SelectField label={experiments.metric} value={metric} onValue={setMetric} options={metricKeys} />
      <SelectField
        label={experiments.baseline}
        value={control}
        onValue={setControl}
        options={flag.variations.map((variation) => [variation._id, variationName(variation)] as const)}
      />
      <TextField label={experiments.unit} value={unit} onValue={setUnit} required />
    </ActionForm>
  )
}
