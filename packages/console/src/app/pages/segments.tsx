import { useState } from 'preact/hooks'
import { api } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ActionForm } from '../components/action-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { readTags } from '../components/json-text.ts'
import { PageTitle } from '../components/page-title.tsx'
import { QueryView } from '../components/query-view.tsx'
import { listAll } from '../list-all.ts'
import { hrefOf, Link, navigate } from '../navigation.tsx'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import { keyFor } from './create-flag.tsx'

type Place = Readonly<Record<'project' | 'environment', string>>

/** The segments of an environment. */
export function SegmentsPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', ...params }
  const [creating, setCreating] = useState(false)
  const keys = { projectKey: place.project, environmentKey: place.environment }
  const segments = useQuery(`segments page ${place.project} ${place.environment}`, () =>
    listAll((page) => api.listSegments({ ...keys, ...page })),
  )
  return (
    <>
      <PageTitle title={texts.segments.title}>
        <ActionButton
          label={texts.segments.create}
          action="createSegment"
          resource={`proj/${place.project}:env/${place.environment}:segment/*`}
          kind="primary"
          onClick={() => setCreating(true)}
        />
      </PageTitle>
      {creating && <CreateSegment place={place} onClose={() => setCreating(false)} />}
      <section class="panel">
        <QueryView query={segments}>
          {(items) =>
            items.length === 0 ? (
              <p class="quiet">{texts.segments.empty}</p>
            ) : (
              <ul class="plain-list">
                {items.map(({ key, name, description, tags }) => (
                  <li key={key} class="entry">
                    <Link href={hrefOf('segment', { ...place, segment: key })}>{name}</Link>{' '}
                    <code class="quiet">{key}</code>{' '}
                    {tags.map((tag) => (
                      <span key={tag} class="tag">
                        {tag}
                      </span>
                    ))}
                    {description && <p class="quiet">{description}</p>}
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
      </section>
    </>
  )
}

function CreateSegment({ place, onClose }: { place: Place; onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [tags, setTags] = useState('')
  const segmentKey = key ?? keyFor(name)
  const create = async () => {
    const keys = { projectKey: place.project, environmentKey: place.environment }
    await api.createSegment({ ...keys, body: { key: segmentKey, name, tags: readTags(tags) } })
    onClose()
    navigate(hrefOf('segment', { ...place, segment: segmentKey }))
  }
  return (
    <Dialog title={texts.segments.create} onClose={onClose}>
      <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
        <TextField label={texts.name} value={name} onValue={setName} required />
        <TextField label={texts.key} help={texts.keyHelp} value={segmentKey} onValue={setKey} required />
        <TextField label={texts.tags} help={texts.tagsHelp} value={tags} onValue={setTags} />
      </ActionForm>
    </Dialog>
  )
}
