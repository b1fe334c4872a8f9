import { byId, createElement } from './dom.ts'
import { explain, indicatorNames, isScored, type Score, type Scores, scoreNames } from './score-text.ts'

export interface ScoredGroup {
  readonly name: string
  readonly environmentKey: string
  readonly applicationKeys?: readonly string[]
  readonly scores: Scores
}

/** Displays the scores of the whole environment, then those of the project's insight groups. */
export function showScores(environment: string, environmentScores: Scores, groups: readonly ScoredGroup[]): void {
  byId('scores-about').textContent =
    `Scores from 0 to 100 of the last 30 days, compared with the 30 days before, whatever range is shown above. ${
      groups.length === 0 ? 'This project has no insight groups yet; a group scores some of the applications.' : ''
    }`
  const allApplications = { name: 'All applications', environmentKey: environment, scores: environmentScores }
  byId('score-list').replaceChildren(...[allApplications, ...groups].map(scoreOf))
}

function scoreOf({ name, environmentKey, applicationKeys, scores }: ScoredGroup): HTMLElement {
  const overall = scores.overall!
  const meter = createElement('meter', {
    min: '0',
    max: '100',
    low: '40',
    high: '70',
    optimum: '100',
    'aria-label': `${name}: overall`,
  })
  meter.value = isScored(overall) ? overall.score : 0
  const applicationText = applicationKeys ? ` ${applicationKeys.join(', ')}` : ''
  return createElement(
    'article',
    { class: 'score' },
    createElement(
      'div',
      { class: 'score-head' },
      createElement('h3', {}, name),
      createElement('strong', {}, scoreText(overall)),
    ),
    createElement('p', {}, `In ${environmentKey}.${applicationText && ` Applications:${applicationText}.`}`),
    meter,
    createElement('p', {}, explain('overall', scores)),
    partsOf(name, scores),
  )
}

function partsOf(group: string, scores: Scores): HTMLElement {
  const rows = Object.entries(scoreNames)
    .filter(([name]) => scores[name])
    .map(([name, title]) =>
      createElement(
        'tr',
        {},
        createElement('th', { scope: 'row' }, title),
        createElement(
          'td',
          { class: 'words' },
          createElement('strong', {}, scoreText(scores[name]!)),
          changeOf(scores[name]!),
          createElement('span', {}, explain(name, scores)),
        ),
      ),
    )
  const headerCells = ['Score', 'Current value and explanation'].map((text, index) =>
    createElement('th', { scope: 'col', class: index === 1 ? 'words' : '' }, text),
  )
  const table = createElement(
    'table',
    {},
    createElement('caption', {}, `Scores of ${group}`),
    createElement('thead', {}, createElement('tr', {}, ...headerCells)),
    createElement('tbody', {}, ...rows),
  )
  const scroll = createElement(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Scores of ${group}` },
    table,
  )
  return createElement('details', {}, createElement('summary', {}, `Details of the scores of ${group}`), scroll)
}

function scoreText(score: Score): string {
  const label = indicatorNames[score.indicator] ?? score.indicator
  return isScored(score) ? `${score.score} (${label})` : label
}

function changeOf({ diffVsLastPeriod: change }: Score): HTMLElement | string {
  if (!change) return ''
  const text = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' }).format(change)
  return createElement('b', { class: change > 0 ? 'better' : 'worse' }, ` ${text} compared with the period before`)
}
