import { useState } from 'preact/hooks'
import { consolePaths } from '../../console-paths.ts'
import { api } from '../api.ts'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextArea, TextField } from '../components/fields.tsx'
import { jsonText, readJson } from '../components/json-text.ts'
import { PageTitle } from '../components/page-title.tsx'
import { QueryView } from '../components/query-view.tsx'
import { Time } from '../components/time.tsx'
import { hrefOf, Link } from '../navigation.tsx'
import { type RecentContext, recentContexts, recordContext } from '../recent-contexts.ts'
import { callConsole } from '../session.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'

interface Result {
  readonly value?: unknown
  readonly reason: { readonly kind: string }
}

type Place = Readonly<Record<'project' | 'environment', string>>

/** Shows what every flag serves to a context, and each step of the decision. */
export function ContextsPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', ...params }
  const [context, setContext] = useState<RecentContext | undefined>(undefined)
  const [chosen, setChosen] = useState(0)
  const evaluate = (evaluated: RecentContext) => {
    recordContext(evaluated)
    setContext(evaluated)
  }
  return (
    <>
      <PageTitle title={texts.contexts.title} />
      {/* A new form begins with the context that was evaluated last. */}
      <ContextForm key={chosen} onSubmit={evaluate} />
      {context && <Results place={place} context={context} />}
      <SeenContexts
        place={place}
        onEvaluate={(seen) => {
          evaluate(seen)
          setChosen(chosen + 1)
        }}
      />
    </>
  )
}

function ContextForm({ onSubmit }: { onSubmit: (context: RecentContext) => void }) {
  const [latest] = recentContexts()
  const { kind: latestKind = 'user', key: latestKey = '', ...latestAttributes } = latest ?? {}
  const [kind, setKind] = useState(String(latestKind))
  const [key, setKey] = useState(String(latestKey))
  const [attributes, setAttributes] = useState(JSON.stringify(latestAttributes))
  const read = readJson(attributes)
  const value = 'value' in read ? read.value : undefined
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const submit = () => {
    if (!isObject) return
    onSubmit({ ...value, kind: kind.trim(), key: key.trim() })
  }
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p>{texts.contexts.help}</p>
      <div class="row">
        <TextField label={texts.contexts.kind} value={kind} onValue={setKind} required />
        <TextField label={texts.contexts.key} value={key} onValue={setKey} required />
      </div>
      <TextArea
        label={texts.contexts.attributes}
        help={texts.contexts.attributesHelp}
        code
        value={attributes}
        onValue={setAttributes}
        error={isObject ? undefined : texts.contexts.mustBeObject}
      />
      <button type="submit" class="primary" disabled={!isObject}>
        {texts.contexts.evaluate}
      </button>
    </form>
  )
}

/** Number of contexts in the list. A search finds contexts that are not in it. */
const seenLimit = 20

/** The contexts that SDKs have reported, the latest ones first. */
function SeenContexts({ place, onEvaluate }: { place: Place; onEvaluate: (context: RecentContext) => void }) {
  const [words, setWords] = useState('')
  const filter = words.trim() === '' ? {} : { filter: `query equals ${JSON.stringify(words.trim())}` }
  const keys = { projectKey: place.project, environmentKey: place.environment }
  const searchQuery = useQuery(
    `contexts ${JSON.stringify(place)}`,
    () => api.searchContexts({ ...keys, limit: seenLimit, ...filter }),
    words,
  )
  const { seen, search, seenColumns, noneSeen, evaluateContext } = texts.contexts
  return (
    <section class="panel">
      <h2>{seen}</h2>
      <TextField label={search} value={words} onValue={setWords} />
      <QueryView query={searchQuery}>
        {({ items }) => (
          <DataTable
            label={seen}
            columns={seenColumns}
            empty={noneSeen}
            rows={items.map(({ context, lastSeen }) => {
              const { kind, key, ...attributes } = context as RecentContext
              return {
                key: JSON.stringify([kind, key]),
                cells: [
                  <code key="key">{key}</code>,
                  kind,
                  <code key="attributes">{JSON.stringify(attributes)}</code>,
                  <Time key="time" value={lastSeen} />,
                  <button key="evaluate" type="button" onClick={() => onEvaluate({ ...attributes, kind, key })}>
                    {evaluateContext(key)}
                  </button>,
                ],
              }
            })}
          />
        )}
      </QueryView>
    </section>
  )
}

function Results({ place, context }: { place: Place; context: RecentContext }) {
  const [explained, setExplained] = useState<string | undefined>(undefined)
  const input = { projectKey: place.project, environmentKey: place.environment, context }
  const results = useQuery(`results ${JSON.stringify(input)}`, () =>
    callConsole<{ flags: Readonly<Record<string, Result>> }>(consolePaths.explanation, input),
  )
  const { columns } = texts.contexts
  return (
    <section class="panel">
      <h2>{texts.contexts.results(context.key, place.environment)}</h2>
      <QueryView query={results}>
        {({ flags }) => (
          <DataTable
            label={texts.contexts.results(context.key, place.environment)}
            columns={[columns.flag, columns.value, columns.reason]}
            empty={texts.contexts.empty}
            rows={Object.entries(flags).map(([flag, { value, reason }]) => ({
              key: flag,
              cells: [
                <Link key="flag" href={hrefOf('flag', { ...place, flag })}>
                  {flag}
                </Link>,
                <code key="value">{value === undefined ? texts.none : jsonText(value)}</code>,
                <>
                  {texts.contexts.reasons[reason.kind] ?? reason.kind}{' '}
                  <button type="button" onClick={() => setExplained(flag)}>
                    {texts.contexts.explain(flag)}
                  </button>
                </>,
              ],
            }))}
          />
        )}
      </QueryView>
      {explained && <Explanation input={{ ...input, flagKey: explained }} onClose={() => setExplained(undefined)} />}
    </section>
  )
}

function Explanation({ input, onClose }: { input: { readonly flagKey: string }; onClose: () => void }) {
  const query = useQuery(`explanation ${JSON.stringify(input)}`, () =>
    callConsole<{ explanation?: { text: string } }>(consolePaths.explanation, input),
  )
  return (
    <Dialog title={texts.contexts.explanation(input.flagKey)} onClose={onClose} wide>
      <QueryView query={query}>{({ explanation }) => <pre>{explanation?.text}</pre>}</QueryView>
    </Dialog>
  )
}
