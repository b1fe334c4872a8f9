import { effect } from '@preact/signals'
import { consolePaths } from '../console-paths.ts'
import { refresh } from './api.ts'
import { currentEnvironment } from './place.ts'
import { basePath } from './server-settings.ts'
import { requestHeaders, session } from './session.ts'

/** Interval at which data that has no notification is read again while the page is visible, ms. */
const pollMs = 15_000

/** Delay before the stream is opened again, ms. */
const reopenMs = 5_000

/** Follows the changes of the current environment until the person goes to another one or signs out. */
export function followChanges(): void {
  effect(() => {
    const { project, environment } = currentEnvironment.value ?? {}
    if (!session.value?.signedIn || !project || !environment) return undefined
    const controller = new AbortController()
    void follow(project, environment, controller.signal)
    return () => controller.abort()
  })
  const refreshVisible = () => {
    if (!document.hidden && session.value?.signedIn) refresh()
  }
  setInterval(refreshVisible, pollMs)
  // The data in a tab may be hours old when a person returns to it.
  document.addEventListener('visibilitychange', refreshVisible)
}

async function follow(project: string, environment: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const query = new URLSearchParams({ project, environment })
      const url = `${basePath}${consolePaths.changes}?${query}`
      const response = await fetch(url, { headers: requestHeaders(), signal })
      if (!response.ok || !response.body) return
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        if (value.includes('event: flags')) refresh()
      }
    } catch {
      // The server ended or restarted. The page polls until the stream is open again.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, reopenMs))
  }
}
