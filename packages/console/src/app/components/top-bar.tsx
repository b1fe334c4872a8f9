import { useEffect, useState } from 'preact/hooks'
import { api, type Environment, type Project } from '../api.ts'
import { listAll } from '../list-all.ts'
import { menuPageOf } from '../menu.ts'
import { currentPage, hrefOf, Link, navigate } from '../navigation.tsx'
import { currentEnvironment, recordVisit } from '../place.ts'
import { session, signOut } from '../session.ts'
import { texts } from '../texts.ts'
import { theme, themes } from '../theme.ts'
import { useQuery } from '../use-query.ts'
import { CommandPalette } from './command-palette.tsx'
import { SelectField } from './fields.tsx'

/** The top of every page: project, environment, search, theme and sign-out. */
export function TopBar() {
  const { name, inSession } = session.value ?? {}
  return (
    <header class="top">
      <Link href={hrefOf('home')} class="brand">
        {texts.brand}
      </Link>
      <PlaceFields />
      <div class="end">
        <PaletteButton />
        <SelectField
          label={texts.navigation.theme}
          value={theme.value}
          onValue={(value) => {
            theme.value = value
          }}
          options={themes.map((each) => [each, texts.navigation.themes[each]] as const)}
        />
        {name && <span class="quiet who">{texts.navigation.signedInAs(name)}</span>}
        {(inSession || !name) && (
          <button type="button" onClick={() => void signOut()}>
            {texts.navigation.signOut}
          </button>
        )}
      </div>
    </header>
  )
}

function PlaceFields() {
  const place = currentEnvironment.value
  const projects = useQuery('projects', () => listAll((page) => api.listProjects(page)))
  const environments = useQuery(`environments ${place?.project}`, async () =>
    place ? listAll((page) => api.listEnvironments({ projectKey: place.project, ...page })) : [],
  )
  useEffect(() => {
    if (place) recordVisit(place.project, place.environment)
  }, [place?.project, place?.environment])
  useEffect(() => {
    const [first] = projects.data ?? []
    if (!place && first) void chooseProject(first.key, false)
  }, [projects.data])
  if (!place) return null
  return (
    <>
      <SelectField
        label={texts.navigation.project}
        value={place.project}
        onValue={(key) => void chooseProject(key, true)}
        options={optionsOf(projects.data, place.project)}
      />
      <SelectField
        label={texts.navigation.environment}
        value={place.environment}
        onValue={(key) => choose(place.project, key, true)}
        options={optionsOf(environments.data, place.environment)}
      />
    </>
  )
}

function optionsOf(items: readonly (Project | Environment)[] | undefined, current: string) {
  const options = (items ?? []).map(({ key, name }) => [key, name] as const)
  return options.some(([key]) => key === current) ? options : [[current, current] as const, ...options]
}

/** Chooses the first environment of a project, production if there is one. */
async function chooseProject(project: string, leave: boolean): Promise<void> {
  const environments = await listAll((page) => api.listEnvironments({ projectKey: project, ...page }))
  const environment = environments.find(({ key }) => key === 'production') ?? environments[0]
  if (environment) choose(project, environment.key, leave)
}

function choose(project: string, environment: string, leave: boolean): void {
  recordVisit(project, environment)
  const { page, params } = currentPage.value ?? {}
  if (page && params?.project) {
    // Another environment of the project has the same flags. Any other resource may be missing there.
    const stays = page === 'flag' && params.project === project
    navigate(hrefOf(stays ? page : menuPageOf(page), { ...params, project, environment }))
  } else if (leave) navigate(hrefOf('flags', { project, environment }))
}

function PaletteButton() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" aria-keyshortcuts="Control+K" title="Ctrl+K" onClick={() => setOpen(true)}>
        {texts.navigation.palette}
      </button>
      {isOpen && <CommandPalette onClose={() => setOpen(false)} />}
    </>
  )
}
