import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { ActionForm } from '../../components/action-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { readTags } from '../../components/json-text.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { currentQuery, hrefOf, Link, navigate, setQuery } from '../../navigation.tsx'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { keyFor } from '../create-flag.tsx'

type Place = Readonly<Record<'project' | 'environment', string>>

/** Number of segments that are loaded at a time. */
const pageSize = 50

/** Delay between the last key and the search, ms. */
const searchDelayMs = 200

/** The segments of an environment, with a search. */
export function SegmentsPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', ...params }
  const [creating, setCreating] = useState(false)
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
      <Search />
      <SegmentList place={place} />
    </>
  )
}

function Search() {
  const [search, setSearch] = useState(currentQuery.value.get('q') ?? '')
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ q: search.trim() }), searchDelayMs)
    return () => clearTimeout(timer)
  }, [search])
  return (
    <search class="row">
      <TextField
        label={texts.segments.search}
        type="search"
        value={search}
        onValue={setSearch}
        placeholder={texts.flags.searchHelp}
      />
    </search>
  )
}

function SegmentList({ place }: { place: Place }) {
  const words = currentQuery.value.get('q') ?? ''
  const [count, setCount] = useState(pageSize)
  useEffect(() => setCount(pageSize), [words])
  const keys = { projectKey: place.project, environmentKey: place.environment }
  const segments = useQuery(
    `segments page ${place.project} ${place.environment}`,
    () => loadSegments(keys, words, count),
    `${words} ${count}`,
  )
  return (
    <section class="panel" aria-busy={segments.loading}>
      <QueryView query={segments}>
        {({ items, totalCount }) =>
          items.length === 0 ? (
            <p class="quiet">{words === '' ? texts.segments.empty : texts.segments.noMatch}</p>
          ) : (
            <>
              <p class="quiet">{texts.segments.count(items.length, totalCount)}</p>
              <ul class="plain-list">
                {items.map(({ key, name, description, tags, unbounded, _unboundedMetadata: keyCounts }) => (
                  <li key={key} class="entry">
                    <Link href={hrefOf('segment', { ...place, segment: key })}>{name}</Link>{' '}
                    <code class="quiet">{key}</code>{' '}
                    {tags.map((tag) => (
                      <span key={tag} class="tag">
                        {tag}
                      </span>
                    ))}
                    {unbounded && keyCounts && (
                      <span class="quiet">
                        {texts.bigSegments.counts(
                          keyCounts.includedCount.toLocaleString(),
                          keyCounts.excludedCount.toLocaleString(),
                        )}
                      </span>
                    )}
                    {description && <p class="quiet">{description}</p>}
                  </li>
                ))}
              </ul>
              {items.length < totalCount && (
                <button type="button" onClick={() => setCount(count + pageSize)}>
                  {texts.more}
                </button>
              )}
            </>
          )
        }
      </QueryView>
    </section>
  )
}

/** Reads the first segments that contain words. */
async function loadSegments(
  keys: { readonly projectKey: string; readonly environmentKey: string },
  words: string,
  count: number,
) {
  const offsets = Array.from({ length: count / pageSize }, (_, page) => page * pageSize)
  const filter = words === '' ? {} : { filter: `query equals ${JSON.stringify(words)}` }
  const pages = await Promise.all(
    offsets.map((offset) => api.listSegments({ ...keys, limit: pageSize, offset, ...filter })),
  )
  return { items: pages.flatMap(({ items }) => items), totalCount: pages[0]?.totalCount ?? 0 }
}

type Size = keyof typeof texts.segments.sizes

function CreateSegment({ place, onClose }: { place: Place; onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [tags, setTags] = useState('')
  const [size, setSize] = useState<Size>('small')
  const [contextKind, setContextKind] = useState('user')
  const segmentKey = key ?? keyFor(name)
  const create = async () => {
    const keys = { projectKey: place.project, environmentKey: place.environment }
    const ofSize = size === 'big' ? { unbounded: true, unboundedContextKind: contextKind } : {}
    await api.createSegment({ ...keys, body: { key: segmentKey, name, tags: readTags(tags), ...ofSize } })
    onClose()
    navigate(hrefOf('segment', { ...place, segment: segmentKey }))
  }
  return (
    <Dialog title={texts.segments.create} onClose={onClose}>
      <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
        <TextField label={texts.name} value={name} onValue={setName} required />
        <TextField label={texts.key} help={texts.keyHelp} value={segmentKey} onValue={setKey} required />
        <TextField label={texts.tags} help={texts.tagsHelp} value={tags} onValue={setTags} />
        <SelectField
          label={texts.segments.size}
          value={size}
          onValue={setSize}
          options={Object.entries(texts.segments.sizes) as [Size, string][]}
        />
        {size === 'big' && (
          <TextField label={texts.targeting.contextKind} value={contextKind} onValue={setContextKind} required />
        )}
      </ActionForm>
    </Dialog>
  )
}
