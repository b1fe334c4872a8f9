import { useEffect, useState } from 'preact/hooks'
import { api, type Flag } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { SelectField, Switch, TextField } from '../components/fields.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { QueryView } from '../components/query-view.tsx'
import { currentQuery, hrefOf, Link, setQuery } from '../navigation.tsx'
import { ReviewDialog } from '../review/review-dialog.tsx'
import { flagChange } from '../review/reviewed-change.ts'
import { rightTo } from '../rights.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import { CreateFlagDialog } from './create-flag.tsx'
import { FlagActivity } from './flags/flag-activity.tsx'

/** Number of flags that are loaded at a time. */
const pageSize = 50

/** Delay between the last key and the search, ms. */
const searchDelayMs = 200

/** The list of flags, with search and filters. */
export function FlagsPage({ params }: { params: Readonly<Record<string, string>> }) {
  const project = params.project as string
  const environment = params.environment as string
  const [creating, setCreating] = useState(false)
  return (
    <>
      <PageTitle title={texts.flags.title}>
        <ActionButton
          label={texts.flags.create}
          action="createFlag"
          resource={`proj/${project}:env/*:flag/*`}
          kind="primary"
          onClick={() => setCreating(true)}
        />
      </PageTitle>
      {creating && <CreateFlagDialog project={project} environment={environment} onClose={() => setCreating(false)} />}
      <Filters />
      <FlagList project={project} environment={environment} />
    </>
  )
}

function Filters() {
  const query = currentQuery.value
  const [search, setSearch] = useState(query.get('q') ?? '')
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ q: search.trim() }), searchDelayMs)
    return () => clearTimeout(timer)
  }, [search])
  const { states, types } = texts.flags
  return (
    <search class="row">
      <TextField
        label={texts.flags.search}
        type="search"
        value={search}
        onValue={setSearch}
        placeholder={texts.flags.searchHelp}
      />
      <SelectField
        label={texts.flags.state}
        value={query.get('state') ?? 'live'}
        onValue={(state) => setQuery({ state: state === 'live' ? '' : state })}
        options={Object.entries(states)}
      />
      <SelectField
        label={texts.flags.type}
        value={query.get('type') ?? ''}
        onValue={(type) => setQuery({ type })}
        options={Object.entries(types)}
      />
      <TextField
        label={texts.flags.tag}
        value={query.get('tag') ?? ''}
        onValue={(tag) => setQuery({ tag: tag.trim() })}
      />
    </search>
  )
}

/** Returns the filter of the list, in the syntax of the API. Characters that separate its terms become spaces. */
function filterOf(query: URLSearchParams): string {
  const word = (text: string) => text.replace(/[,:+]/g, ' ').trim()
  const terms = [
    ['query', word(query.get('q') ?? '')],
    ['type', query.get('type') ?? ''],
    ['state', query.get('state') ?? ''],
  ]
  return terms
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}:${value}`)
    .join(',')
}

function FlagList({ project, environment }: { project: string; environment: string }) {
  const query = currentQuery.value
  const filter = filterOf(query)
  const tag = query.get('tag') ?? ''
  const [count, setCount] = useState(pageSize)
  useEffect(() => setCount(pageSize), [filter, tag])
  // The rows stay while a search is loaded, so that most of them need not be rendered again.
  const load = () => loadFlags(project, environment, { filter, tag, count })
  const flags = useQuery(`${project} ${environment}`, load, `${filter} ${tag} ${count}`)
  const [toggled, setToggled] = useState<Flag | undefined>(undefined)
  return (
    <QueryView query={flags}>
      {({ items, totalCount }) => (
        <section class="panel" aria-busy={flags.loading}>
          <p class="quiet">{items.length === 0 ? texts.flags.empty : texts.flags.count(items.length, totalCount)}</p>
          <table class="stacked flag-list">
            <thead>
              <tr>
                <th scope="col">{texts.flags.columns.name}</th>
                <th scope="col">{texts.flags.columns.tags}</th>
                <th scope="col">{texts.flags.columns.status}</th>
                <th scope="col">{texts.flags.columns.evaluations}</th>
                <th scope="col">{texts.flags.columns.on}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((flag) => (
                <FlagRow
                  key={flag.key}
                  flag={flag}
                  project={project}
                  environment={environment}
                  onToggle={() => setToggled(flag)}
                />
              ))}
            </tbody>
          </table>
          {items.length < totalCount && (
            <button type="button" onClick={() => setCount(count + pageSize)}>
              {texts.more}
            </button>
          )}
          {toggled && (
            <ReviewDialog
              change={flagChange({ project, environment, flag: toggled.key }, [
                { kind: toggled.environments?.[environment]?.on ? 'turnFlagOff' : 'turnFlagOn' },
              ])}
              onClose={() => setToggled(undefined)}
            />
          )}
        </section>
      )}
    </QueryView>
  )
}

interface FlagFilter {
  readonly filter: string
  readonly tag: string
  readonly count: number
}

/** Largest page of a list of the API. */
const maxPage = 100

/** Reads the first flags that match. */
async function loadFlags(project: string, environment: string, { filter, tag, count }: FlagFilter) {
  const starts = Array.from({ length: Math.ceil(count / maxPage) }, (_, index) => index * maxPage)
  const pages = await Promise.all(
    starts.map((offset) =>
      api.listFlags({
        projectKey: project,
        env: environment,
        limit: Math.min(maxPage, count - offset),
        offset,
        ...(filter === '' ? {} : { filter }),
        ...(tag === '' ? {} : { tag }),
      }),
    ),
  )
  return { items: pages.flatMap(({ items }) => items), totalCount: pages[0]?.totalCount ?? 0 }
}

function FlagRow({
  flag,
  project,
  environment,
  onToggle,
}: {
  flag: Flag
  project: string
  environment: string
  onToggle: () => void
}) {
  const { key, name, tags, archived, environments } = flag
  const on = environments?.[environment]?.on ?? false
  return (
    <tr>
      <th scope="row">
        <Link href={hrefOf('flag', { project, environment, flag: key })}>{name}</Link>
        <br />
        <code class="quiet">{key}</code>
      </th>
      <td>
        {tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </td>
      <FlagActivity place={{ project, environment, flag: key }} version={environments?.[environment]?.version ?? 0} />
      <td>
        <OnSwitch
          label={texts.flags.on(name, environment)}
          resource={`proj/${project}:env/${environment}:flag/${key}`}
          on={on}
          offered={!archived}
          onToggle={onToggle}
        />
      </td>
    </tr>
  )
}

/** Shows a switch if the person may use it, otherwise the state as text. The page of the flag gives the reason. */
function OnSwitch({
  label,
  resource,
  on,
  offered,
  onToggle,
}: {
  label: string
  resource: string
  on: boolean
  offered: boolean
  onToggle: () => void
}) {
  const right = rightTo('updateOn', resource).value
  if (!offered || !right?.allowed) return <span>{on ? texts.flag.on : texts.flag.off}</span>
  return <Switch label={label} hideLabel checked={on} onToggle={onToggle} />
}
