import { byId, made } from './dom.ts'
import { explain, indicatorNames, isScored, type Score, type Scores, scoreNames } from './score-words.ts'

export interface ScoredGroup {
  readonly name: string
  readonly environmentKey: string
  readonly applicationKeys?: readonly string[]
  readonly scores: Scores
}

/** Displays the scores of the whole environment, then those of the project's insight groups. */
export function showScores(environment: string, whole: Scores, groups: readonly ScoredGroup[]): void {
  byId('scores-about').textContent =
    `From 0 to 100, of the last 30 days against the 30 before, whatever range is shown above. ${
      groups.length === 0 ? 'This project has no insight groups yet; a group scores some of the applications.' : ''
    }`
  const all = { name: 'All applications', environmentKey: environment, scores: whole }
  byId('score-list').replaceChildren(...[all, ...groups].map(scoreOf))
}

function scoreOf({ name, environmentKey, applicationKeys, scores }: ScoredGroup): HTMLElement {
  const overall = scores.overall!
  const meter = made('meter', {
    min: '0',
    max: '100',
    low: '40',
    high: '70',
    optimum: '100',
    'aria-label': `${name}: overall`,
  })
  meter.value = isScored(overall) ? overall.score : 0
  const of = applicationKeys ? ` ${applicationKeys.join(', ')}` : ''
  return made(
    'article',
    { class: 'score' },
    made('div', { class: 'score-head' }, made('h3', {}, name), made('strong', {}, inWords(overall))),
    made('p', {}, `In ${environmentKey}.${of && ` Applications:${of}.`}`),
    meter,
    made('p', {}, explain('overall', scores)),
    partsOf(name, scores),
  )
}

function partsOf(group: string, scores: Scores): HTMLElement {
  const rows = Object.entries(scoreNames)
    .filter(([name]) => scores[name])
    .map(([name, title]) =>
      made(
        'tr',
        {},
        made('th', { scope: 'row' }, title),
        made(
          'td',
          { class: 'words' },
          made('strong', {}, inWords(scores[name]!)),
          changeOf(scores[name]!),
          made('span', {}, explain(name, scores)),
        ),
      ),
    )
  const heads = ['Score', 'Current value and explanation'].map((text, at) =>
    made('th', { scope: 'col', class: at === 1 ? 'words' : '' }, text),
  )
  const table = made(
    'table',
    {},
    made('caption', {}, `Scores of ${group}`),
    made('thead', {}, made('tr', {}, ...heads)),
    made('tbody', {}, ...rows),
  )
  const scroll = made(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Scores of ${group}` },
    table,
  )
  return made('details', {}, made('summary', {}, `Details of the scores of ${group}`), scroll)
}

function inWords(score: Score): string {
  const label = indicatorNames[score.indicator] ?? score.indicator
  return isScored(score) ? `${score.score} (${label})` : label
}

function changeOf({ diffVsLastPeriod: change }: Score): HTMLElement | string {
  if (!change) return ''
  const text = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' }).format(change)
  return made('b', { class: change > 0 ? 'better' : 'worse' }, ` ${text} compared with the period before`)
}
