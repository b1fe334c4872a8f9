import { type Figures, type Measure, measures } from '../chart/chart-answer.ts'
import { frequencyPicture, leadTimePicture } from '../chart/picture.ts'
import { durationText, numbersOf } from '../chart/unit.ts'
import { hasStatus, listAll } from './call-api.ts'
import { readChanges, showControls } from './controls.ts'
import { byId, made } from './dom.ts'
import { type Insights, readInsights, readLatest } from './read-insights.ts'
import { indicatorNames } from './score-words.ts'
import { showChart } from './show-chart.ts'
import { showEmpty } from './show-empty.ts'
import { showScores } from './show-scores.ts'
import { token } from './token.ts'
import { rangeOf, searchOf, shownMeasures, type View, viewOf } from './view.ts'

interface Named {
  readonly key: string
  readonly name: string
}

let view = viewOf(location.search, Date.now())

/** Number of requests for insights, so that the response to an outdated one is not shown. */
let asked = 0

async function show(): Promise<void> {
  const turn = ++asked
  byId('sign-in').hidden = token.read() !== undefined
  byId('forget').hidden = token.read() === undefined
  if (token.read() === undefined) return askForToken('')
  byId('status').textContent = 'Loading …'
  byId('content').setAttribute('aria-busy', 'true')
  try {
    const projects = await listAll<Named>('projects', {}, 100)
    if (turn !== asked) return
    const project = view.project || projects[0]?.key
    if (project === undefined) return showNoProject()
    // Shown before the insights, so that a reader whose project or environment does not exist can select another.
    showControls({ ...view, project }, { projects, environments: [], applications: [] })
    const environments = await readEnvironments(project)
    if (turn !== asked) return
    choosePlace(project, environments)
    const insights = await readInsights(view, Date.now())
    const latest = isEmpty(insights) ? await readLatest(view) : undefined
    if (turn !== asked) return
    showControls(view, { projects, environments, applications: insights.applications })
    showInsights(insights, latest)
  } catch (error) {
    if (turn === asked) showFailure(error)
  } finally {
    if (turn === asked) byId('content').removeAttribute('aria-busy')
  }
}

async function readEnvironments(project: string): Promise<Named[]> {
  const path = `projects/${encodeURIComponent(project)}/environments`
  return listAll<Named>(path, {}, 100).catch((error) => {
    if (!hasStatus(error, 404)) throw error
    throw new Error(`There is no project "${project}", or the token may not view it. Select another one.`)
  })
}

/** When the view's environment does not belong to the project, selects `production`, or else the first environment. */
function choosePlace(project: string, environments: readonly Named[]): void {
  const usual = environments.find(({ key }) => key === 'production') ?? environments[0]
  const known = environments.some(({ key }) => key === view.environment)
  view = { ...view, project, environment: known ? view.environment : (usual?.key ?? '') }
  history.replaceState(null, '', searchOf(view))
}

function showInsights(insights: Insights, latest: number | undefined): void {
  const { leadTime, frequency, scores, groups } = insights
  const empty = isEmpty(insights)
  byId('failure').hidden = true
  byId('insights').hidden = false
  byId('empty').hidden = true
  if (empty) showEmpty(view, latest, change)
  byId('lead-time').hidden = empty
  byId('frequency').hidden = empty || frequency === undefined
  if (!empty) {
    const shown: readonly Measure[] = shownMeasures[view.measure as keyof typeof shownMeasures]
    showFigures(leadTime.metadata)
    showChart(byId('lead-time').querySelector<HTMLElement>('.picture')!, leadTimePicture(leadTime, shown))
    if (frequency) {
      showChart(byId('frequency').querySelector<HTMLElement>('.picture')!, frequencyPicture(frequency))
    }
  }
  showScores(view.environment, scores, groups)
  byId('status').textContent = empty ? 'Nothing to show in this range.' : rangeInWords(view)
}

function isEmpty({ applications, frequency }: Insights): boolean {
  return applications.length === 0 && !frequency?.series.some(({ data }) => data.some(({ y }) => y > 0))
}

function rangeInWords(shown: View): string {
  const { from, to } = rangeOf(shown, Date.now())
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
  return `Shown: ${format.formatRange(from, to - 1)}.`
}

function showFigures({ summary, metrics }: Insights['leadTime']['metadata']): void {
  const total = ((summary ?? {}) as Readonly<Record<string, Figures>>).total ?? {}
  const rated = indicatorNames[metrics?.leadTime?.indicator ?? 'notCalculated']!
  const rows = [
    ['Changes', numbersOf(undefined)(total.count ?? 0)],
    ...Object.entries(measures).map(([name, title]) => [title, durationText(total[name] ?? 0, undefined)]),
    ['Rating', rated],
  ]
  byId('figures').replaceChildren(
    ...rows.map(([title, text]) => made('div', {}, made('dt', {}, title!), made('dd', {}, text!))),
  )
}

function showNoProject(): void {
  byId('insights').hidden = true
  byId('failure').hidden = true
  byId('empty').hidden = false
  byId('empty').replaceChildren(
    made('h2', {}, 'There is no project to show'),
    made('p', {}, 'No project exists yet, or the token may not view any. An import creates the project that it fills:'),
    made('pre', {}, `halyard import git ../your/repository --project mine --url ${location.origin} --token <token>`),
  )
  byId('status').textContent = 'Nothing to show.'
}

function showFailure(error: unknown): void {
  byId('status').textContent = ''
  if (hasStatus(error, 401)) {
    token.forget()
    askForToken('The server does not accept this token: it is wrong, has expired or was deleted. Enter another one.')
    return
  }
  byId('insights').hidden = true
  byId('empty').hidden = true
  const again = made('button', { type: 'button' }, 'Try again')
  again.addEventListener('click', () => void show())
  const text = error instanceof Error ? error.message : String(error)
  byId('failure').replaceChildren(made('p', {}, text), again)
  byId('failure').hidden = false
}

function askForToken(reason: string): void {
  for (const id of ['controls', 'insights', 'failure', 'empty', 'forget']) byId(id).hidden = true
  byId('status').textContent = ''
  byId('sign-in').hidden = false
  byId('sign-in-reason').textContent = reason
  byId('token').focus()
}

function change(changes: Partial<View>): void {
  view = { ...view, ...changes }
  history.pushState(null, '', searchOf(view))
  void show()
}

byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault()
  const input = byId<HTMLInputElement>('token')
  token.keep(input.value.trim())
  input.value = ''
  void show()
})
byId('forget').addEventListener('click', () => {
  token.forget()
  asked++
  askForToken('')
})
byId('controls').addEventListener('submit', (event) => event.preventDefault())
byId('controls').addEventListener('change', (event) => {
  const changes = readChanges(event.target as HTMLInputElement)
  if (changes) change(changes)
})
addEventListener('popstate', () => {
  // A link to an anchor in the page also triggers this event, and changes nothing.
  const next = viewOf(location.search, Date.now())
  if (searchOf(next) === searchOf(view)) return
  view = next
  void show()
})
void show()
