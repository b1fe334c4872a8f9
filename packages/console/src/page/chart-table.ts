import type { Picture } from '../chart/picture.ts'
import { numbersOf } from '../chart/unit.ts'
import { made } from './dom.ts'

/**
 * Returns the numbers of a picture as a table that is built when it is opened. Buckets without deployments are omitted.
 */
export function chartTable(picture: Picture, isOpen: boolean): HTMLElement {
  const title = `${picture.title} as a table`
  const details = made('details', {}, made('summary', {}, title))
  const fill = () => {
    if (!details.open || details.querySelector('table')) return
    // A scrollable region must be reachable by keyboard.
    details.append(
      made('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title }, tableOf(picture)),
    )
  }
  details.addEventListener('toggle', fill)
  details.open = isOpen
  fill()
  return details
}

function tableOf({ buckets, lines, unit, title }: Picture): HTMLTableElement {
  const numbers = numbersOf(undefined)
  const isDaily = buckets.every((bucket) => bucket % 86_400_000 === 0)
  const timeStyle = isDaily ? undefined : 'short'
  const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle, timeZone: 'UTC' })
  const filled = buckets.flatMap((bucket, at) => (lines.some(({ values }) => values[at]) ? [{ bucket, at }] : []))
  const rows = filled.map(({ bucket, at }) =>
    made(
      'tr',
      {},
      made('th', { scope: 'row' }, made('time', { datetime: new Date(bucket).toISOString() }, moments.format(bucket))),
      ...lines.map(({ values }) => made('td', {}, cellOf(values[at], numbers))),
    ),
  )
  const heads = ['From (UTC)', ...lines.map(({ name }) => name)].map((name) => made('th', { scope: 'col' }, name))
  const told = `${title} in ${unit}. ${numbers(filled.length)} of ${numbers(buckets.length)} points in time have deployments; the others are omitted.`
  return made(
    'table',
    {},
    made('caption', {}, told),
    made('thead', {}, made('tr', {}, ...heads)),
    made('tbody', {}, ...rows),
  )
}

function cellOf(value: number | null | undefined, numbers: (value: number) => string): string {
  return value === null || value === undefined ? '–' : numbers(value)
}
