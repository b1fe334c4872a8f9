import type { Picture } from '../chart/picture.ts'
import { numberFormatter } from '../chart/unit.ts'
import { createElement } from './dom.ts'

/**
 * Returns the numbers of a picture as a table that is built when it is opened. Buckets without deployments are omitted.
 */
export function chartTable(picture: Picture, isOpen: boolean): HTMLElement {
  const title = `${picture.title} as a table`
  const details = createElement('details', {}, createElement('summary', {}, title))
  const fill = () => {
    if (!details.open || details.querySelector('table')) return
    // A scrollable region must be reachable by keyboard.
    details.append(
      createElement('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title }, tableOf(picture)),
    )
  }
  details.addEventListener('toggle', fill)
  details.open = isOpen
  fill()
  return details
}

function tableOf({ buckets, lines, unit, title }: Picture): HTMLTableElement {
  const formatNumber = numberFormatter(undefined)
  const isDaily = buckets.every((bucket) => bucket % 86_400_000 === 0)
  const timeStyle = isDaily ? undefined : 'short'
  const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle, timeZone: 'UTC' })
  const nonEmptyBuckets = buckets.flatMap((bucket, index) =>
    lines.some(({ values }) => values[index]) ? [{ bucket, at: index }] : [],
  )
  const rows = nonEmptyBuckets.map(({ bucket, at: index }) =>
    createElement(
      'tr',
      {},
      createElement(
        'th',
        { scope: 'row' },
        createElement('time', { datetime: new Date(bucket).toISOString() }, dateFormat.format(bucket)),
      ),
      ...lines.map(({ values }) => createElement('td', {}, cellOf(values[index], formatNumber))),
    ),
  )
  const headerCells = ['From (UTC)', ...lines.map(({ name }) => name)].map((name) =>
    createElement('th', { scope: 'col' }, name),
  )
  const captionText = `${title} in ${unit}. ${formatNumber(nonEmptyBuckets.length)} of ${formatNumber(buckets.length)} points in time have deployments; the others are omitted.`
  return createElement(
    'table',
    {},
    createElement('caption', {}, captionText),
    createElement('thead', {}, createElement('tr', {}, ...headerCells)),
    createElement('tbody', {}, ...rows),
  )
}

function cellOf(value: number | null | undefined, formatNumber: (value: number) => string): string {
  return value === null || value === undefined ? '–' : formatNumber(value)
}
