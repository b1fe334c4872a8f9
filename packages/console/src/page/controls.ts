import { measures } from '../chart/chart-response.ts'
import { byId, fillSelect } from './dom.ts'
import type { View } from './view.ts'

interface KeyAndName {
  readonly key: string
  readonly name: string
}

export interface Choices {
  readonly projects: readonly KeyAndName[]
  readonly environments: readonly KeyAndName[]
  readonly applications: readonly string[]
}

/** Displays the controls with their choices and the selected values. */
export function showControls(view: View, { projects, environments, applications }: Choices): void {
  fillSelect('project', projects.map(optionOf), view.project)
  fillSelect('environment', environments.map(optionOf), view.environment)
  const applicationKeys = view.application === '' ? applications : [...new Set([...applications, view.application])]
  fillSelect('application', [['', 'all'], ...applicationKeys.map((key) => [key, key] as const)], view.application)
  fillSelect('measure', [...Object.entries(measures), ['all', 'Mean, P50 and P90']], view.measure)
  for (const id of ['range', 'bucket', 'group'] as const) byId<HTMLSelectElement>(id).value = view[id]
  for (const id of ['from', 'to'] as const) byId<HTMLInputElement>(id).value = view[id]
  for (const element of document.querySelectorAll<HTMLElement>('.custom')) element.hidden = view.range !== 'custom'
  byId('controls').hidden = false
}

/**
 * Returns the change that a control makes to the view; undefined when its value is incomplete, such as a partly typed
 * date.
 */
export function readChanges({ id, value }: HTMLInputElement): Partial<View> | undefined {
  if (id === 'project') return { project: value, environment: '', application: '' }
  if (id === 'environment') return { environment: value, application: '' }
  if (id !== 'from' && id !== 'to') return { [id]: value }
  if (value === '') return undefined
  const [from, to] = [byId<HTMLInputElement>('from').value, byId<HTMLInputElement>('to').value]
  // The end of a range is never before its start. When the person moves one of the two past the other, both move.
  if (from <= to) return { from, to }
  return { from: value, to: value }
}

function optionOf({ key, name }: KeyAndName): readonly [string, string] {
  return [key, name]
}
