import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { TextField } from '../../components/fields.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { listAll } from '../../list-all.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { keyFor } from '../create-flag.tsx'
import type { ExperimentPlace } from './experiment-place.ts'
import { HoldoutResults } from './holdout-results.tsx'

const { experiments } = texts

/** The holdouts of an environment: contexts that are in no experiment. */
export function HoldoutTable({ place }: { place: ExperimentPlace }) {
  const keys = { projectKey: place.project, environmentKey: place.environment }
  const resource = `proj/${place.project}:env/${place.environment}:holdout`
  const query = useQuery(`holdouts ${resource}`, () => listAll((page) => api.getAllHoldouts({ ...keys, ...page })))
  return (
    <section class="panel">
      <div class="row middle">
        <h2>{experiments.holdouts}</h2>
        <DialogAction label={experiments.createHoldout} action="createHoldout" resource={`${resource}/*`}>
          {(close) => <CreateForm place={place} onClose={close} />}
        </DialogAction>
      </div>
      <QueryView query={query}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet">{experiments.noHoldouts}</p>
          ) : (
            <ul class="plain-list">
              {items.map(({ key, name, status, experiments: held }) => (
                <li key={key} class="entry">
                  <div class="row middle">
                    <strong>{name}</strong> <span class="status">{status}</span>
                    <span class="quiet">{held.map((experiment) => experiment.name).join(', ')}</span>
                    {status !== 'ended' && (
                      <ConfirmedAction
                        label={experiments.endHoldout}
                        action="updateHoldout"
                        resource={`${resource}/${key}`}
                        question={experiments.endHoldoutQuestion(name)}
                        run={() =>
                          api.patchHoldout({
                            ...keys,
                            holdoutKey: key,
                            body: { instructions: [{ kind: 'endHoldout' }] },
                          })
                        }
                      />
                    )}
                  </div>
                  <HoldoutResults place={place} holdout={key} name={name} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}

function CreateForm({ place, onClose }: { place: ExperimentPlace; onClose: () => void }) {
  const [name, setName] = useState('')
  const [amount, setAmount] = useState('5')
  const [metric, setMetric] = useState('')
  const create = async () => {
    await api.postHoldout({
      projectKey: place.project,
      environmentKey: place.environment,
      body: {
        key: keyFor(name),
        name,
        holdoutamount: amount,
        primarymetrickey: metric,
        metrics: [{ key: metric, isGroup: false, primary: true }],
      },
    })
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={experiments.amount} value={amount} onValue={setAmount} required />
      <TextField label={experiments.metric} value={metric} onValue={setMetric} required />
    </ActionForm>
  )
}
