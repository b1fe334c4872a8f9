import { type DurationStats, type Measure, measures } from '../chart/chart-response.ts'
import { frequencyPicture, leadTimePicture } from '../chart/picture.ts'
import { durationText, numberFormatter } from '../chart/unit.ts'
import { hasStatus, listAll } from './call-api.ts'
import { readChanges, showControls } from './controls.ts'
import { byId, createElement } from './dom.ts'
import { type Insights, readInsights, readLatest } from './read-insights.ts'
import { indicatorNames } from './score-text.ts'
import { showChart } from './show-chart.ts'
import { showEmpty } from './show-empty.ts'
import { showScores } from './show-scores.ts'
import { token } from './token.ts'
import { rangeOf, searchFromView, shownMeasures, type View, viewFromUrl } from './view.ts'

interface KeyAndName {
  readonly key: string
  readonly name: string
}

let view = viewFromUrl(location.search, Date.now())

/** Number of requests for insights, so that the response to an outdated one is not shown. */
let requestCount = 0

async function loadAndShow(): Promise<void> {
  const requestNumber = ++requestCount
  // Without a token the host may identify the person by a session, so the page first calls the API without a token, and
  // then prompts for one.
  byId('sign-in').hidden = true
  byId('forget').hidden = token.read() === undefined
  byId('status').textContent = 'Loading …'
  byId('content').setAttribute('aria-busy', 'true')
  try {
    const projects = await listAll<KeyAndName>('projects', {}, 100)
    if (requestNumber !== requestCount) return
    const project = view.project || projects[0]?.key
    if (project === undefined) return showNoProject()
    // The controls are shown before the insights, so that a reader whose project or environment does not exist can
    // select another one.
    showControls({ ...view, project }, { projects, environments: [], applications: [] })
    const environments = await readEnvironments(project)
    if (requestNumber !== requestCount) return
    selectEnvironment(project, environments)
    const insights = await readInsights(view, Date.now())
    const latest = isEmpty(insights) ? await readLatest(view) : undefined
    if (requestNumber !== requestCount) return
    showControls(view, { projects, environments, applications: insights.applications })
    showInsights(insights, latest)
  } catch (error) {
    if (requestNumber === requestCount) showFailure(error)
  } finally {
    if (requestNumber === requestCount) byId('content').removeAttribute('aria-busy')
  }
}

async function readEnvironments(project: string): Promise<KeyAndName[]> {
  const path = `projects/${encodeURIComponent(project)}/environments`
  return listAll<KeyAndName>(path, {}, 100).catch((error) => {
    if (!hasStatus(error, 404)) throw error
    throw new Error(`There is no project "${project}", or the token may not view it. Select another one.`)
  })
}

/** When the view's environment does not belong to the project, selects `production`, or else the first environment. */
function selectEnvironment(project: string, environments: readonly KeyAndName[]): void {
  const defaultEnvironment = environments.find(({ key }) => key === 'production') ?? environments[0]
  const exists = environments.some(({ key }) => key === view.environment)
  view = { ...view, project, environment: exists ? view.environment : (defaultEnvironment?.key ?? '') }
  history.replaceState(null, '', searchFromView(view))
}

function showInsights(insights: Insights, latest: number | undefined): void {
  const { leadTime, frequency, scores, groups } = insights
  const hasNoData = isEmpty(insights)
  byId('failure').hidden = true
  byId('insights').hidden = false
  byId('empty').hidden = true
  if (hasNoData) showEmpty(view, latest, changeView)
  byId('lead-time').hidden = hasNoData
  byId('frequency').hidden = hasNoData || frequency === undefined
  if (!hasNoData) {
    const selectedMeasures: readonly Measure[] = shownMeasures[view.measure as keyof typeof shownMeasures]
    showDurationStats(leadTime.metadata)
    showChart(byId('lead-time').querySelector<HTMLElement>('.picture')!, leadTimePicture(leadTime, selectedMeasures))
    if (frequency) {
      showChart(byId('frequency').querySelector<HTMLElement>('.picture')!, frequencyPicture(frequency))
    }
  }
  showScores(view.environment, scores, groups)
  byId('status').textContent = hasNoData ? 'Nothing to show in this range.' : rangeText(view)
}

function isEmpty({ applications, frequency }: Insights): boolean {
  return applications.length === 0 && !frequency?.series.some(({ data }) => data.some(({ y }) => y > 0))
}

function rangeText(shownView: View): string {
  const { from, to } = rangeOf(shownView, Date.now())
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
  return `Shown: ${format.formatRange(from, to - 1)}.`
}

function showDurationStats({ summary, metrics }: Insights['leadTime']['metadata']): void {
  const total = ((summary ?? {}) as Readonly<Record<string, DurationStats>>).total ?? {}
  const ratingText = indicatorNames[metrics?.leadTime?.indicator ?? 'notCalculated']!
  const rows = [
    ['Changes', numberFormatter(undefined)(total.count ?? 0)],
    ...Object.entries(measures).map(([name, title]) => [title, durationText(total[name] ?? 0, undefined)]),
    ['Rating', ratingText],
  ]
  byId('figures').replaceChildren(
    ...rows.map(([title, text]) =>
      createElement('div', {}, createElement('dt', {}, title!), createElement('dd', {}, text!)),
    ),
  )
}

function showNoProject(): void {
  byId('insights').hidden = true
  byId('failure').hidden = true
  byId('empty').hidden = false
  byId('empty').replaceChildren(
    createElement('h2', {}, 'There is no project to show'),
    createElement(
      'p',
      {},
      'No project exists yet, or the token may not view any. An import creates the project that it fills:',
    ),
    createElement(
      'pre',
      {},
      `halyard import git ../your/repository --project mine --url ${location.origin} --token <token>`,
    ),
  )
  byId('status').textContent = 'Nothing to show.'
}

function showFailure(error: unknown): void {
  byId('status').textContent = ''
  if (hasStatus(error, 401)) {
    const hadToken = token.read() !== undefined
    token.remove()
    const refusal = 'The server does not accept this token: it is wrong, has expired or was deleted. Enter another one.'
    promptForToken(hadToken ? refusal : '')
    return
  }
  byId('insights').hidden = true
  byId('empty').hidden = true
  const retryButton = createElement('button', { type: 'button' }, 'Try again')
  retryButton.addEventListener('click', () => void loadAndShow())
  const text = error instanceof Error ? error.message : String(error)
  byId('failure').replaceChildren(createElement('p', {}, text), retryButton)
  byId('failure').hidden = false
}

function promptForToken(reason: string): void {
  for (const id of ['controls', 'insights', 'failure', 'empty', 'forget']) byId(id).hidden = true
  byId('status').textContent = ''
  byId('sign-in').hidden = false
  byId('sign-in-reason').textContent = reason
  byId('token').focus()
}

function changeView(changes: Partial<View>): void {
  view = { ...view, ...changes }
  history.pushState(null, '', searchFromView(view))
  void loadAndShow()
}

byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault()
  const input = byId<HTMLInputElement>('token')
  token.save(input.value.trim())
  input.value = ''
  void loadAndShow()
})
byId('forget').addEventListener('click', () => {
  token.remove()
  requestCount++
  promptForToken('')
})
byId('controls').addEventListener('submit', (event) => event.preventDefault())
byId('controls').addEventListener('change', (event) => {
  const changes = readChanges(event.target as HTMLInputElement)
  if (changes) changeView(changes)
})
addEventListener('popstate', () => {
  // A link to an anchor in the page also triggers this event, but the view stays the same.
  const next = viewFromUrl(location.search, Date.now())
  if (searchFromView(next) === searchFromView(view)) return
  view = next
  void loadAndShow()
})
void loadAndShow()
