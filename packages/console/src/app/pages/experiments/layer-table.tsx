import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DialogAction } from '../../components/dialog-action.tsx'
import { TextField } from '../../components/fields.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { listAll } from '../../list-all.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { keyFor } from '../create-flag.tsx'

const { experiments } = texts

/** The layers of a project: experiments of one layer share no context. */
export function LayerTable({ project }: { project: string }) {
  const query = useQuery(`layers ${project}`, () => listAll((page) => api.getLayers({ projectKey: project, ...page })))
  return (
    <section class="panel">
      <div class="row middle">
        <h2>{experiments.layers}</h2>
        <DialogAction label={experiments.createLayer} action="createLayer" resource={`proj/${project}:layer/*`}>
          {(close) => <CreateForm project={project} onClose={close} />}
        </DialogAction>
      </div>
      <QueryView query={query}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet">{experiments.noLayers}</p>
          ) : (
            <ul class="plain-list">
              {items.map(({ key, name, environments }) => (
                <li key={key} class="entry">
                  <strong>{name}</strong> <code class="quiet">{key}</code>
                  <p class="quiet">
                    {Object.values(environments)
                      .flatMap(({ reservations }) => reservations)
                      .map(({ experimentKey, reservationPercent }) =>
                        experiments.reserved(experimentKey, reservationPercent),
                      )
                      .join(', ')}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}

function CreateForm({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const create = async () => {
    await api.createLayer({ projectKey: project, body: { key: keyFor(name), name, description } })
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.description} value={description} onValue={setDescription} />
    </ActionForm>
  )
}
