import { computed, signal } from '@preact/signals'
import { currentPage } from './navigation.tsx'

const storageKey = 'halyard-place'

/** The environment that the person visited last, in this tab. */
const visited = signal<{ readonly project: string; readonly environment: string } | undefined>(readVisited())

function readVisited() {
  const [project, environment] = (sessionStorage.getItem(storageKey) ?? '').split('/').map(decodeURIComponent)
  return project && environment ? { project, environment } : undefined
}

/** The environment of the page, or by default the last one that was visited. */
export const currentEnvironment = computed(() => {
  const { project, environment } = currentPage.value?.params ?? {}
  return project && environment ? { project, environment } : visited.value
})

/** Records the environment of the page as the one that was visited last. */
export function recordVisit(project: string, environment: string): void {
  sessionStorage.setItem(storageKey, [project, environment].map(encodeURIComponent).join('/'))
  visited.value = { project, environment }
}
