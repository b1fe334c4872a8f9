import { byId, made } from './dom.ts'
import { dayOf, type View } from './view.ts'

/**
 * Displays instructions when there is nothing to show.
 * @param latest time of the latest deployment, ms; undefined when there has been none.
 * @param look changes the range of the view.
 */
export function showEmpty(view: View, latest: number | undefined, look: (change: Partial<View>) => void): void {
  const place = byId('empty')
  place.hidden = false
  if (latest === undefined) place.replaceChildren(...whatToDo(view))
  else place.replaceChildren(...whereToLook(latest, look))
}

function whereToLook(latest: number, look: (change: Partial<View>) => void): HTMLElement[] {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' })
  const button = made('button', { type: 'button' }, 'Show the 30 days up to this date')
  const range = { range: 'custom', from: dayOf(latest - 29 * 86_400_000), to: dayOf(latest), application: '' }
  button.addEventListener('click', () => look(range))
  return [
    made('h2', {}, 'Nothing was deployed in this range'),
    made('p', {}, `The latest deployment was on ${format.format(latest)}.`),
    button,
  ]
}

function whatToDo({ project, environment }: View): HTMLElement[] {
  const body = JSON.stringify({
    projectKey: project,
    environmentKey: environment,
    applicationKey: 'my-application',
    version: '1.0.0',
    eventType: 'finished',
  })
  const place = `--project ${project} --environment ${environment} --url ${location.origin} --token <token>`
  const call = [
    `curl -X POST '${new URL('api/v2/engineering-insights/deployment-events', location.href)}' \\`,
    "  -H 'Authorization: <token>' -H 'Content-Type: application/json' \\",
    `  -H '${document.querySelector<HTMLMetaElement>('meta[name="halyard-version-header"]')!.content}: beta' \\`,
    `  -d '${body}'`,
  ].join('\n')
  return [
    made('h2', {}, 'There are no deployments yet'),
    made('p', {}, 'Import the releases of a git repository, by tag, with the changes between them:'),
    made('pre', {}, `halyard import git ../your/repository ${place}`),
    made('p', {}, 'Or send each deployment to the API, from the job that deploys:'),
    made('pre', {}, call),
  ]
}
