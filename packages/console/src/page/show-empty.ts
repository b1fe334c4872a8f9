import { byId, made } from './dom.ts'
import { dayOf, type View } from './view.ts'

/**
 * Says what to do where there is nothing to show.
 *
 * @param latest when something was deployed last, ms; undefined where nothing ever was.
 * @param look shows another range.
 */
export function showEmpty(view: View, latest: number | undefined, look: (change: Partial<View>) => void): void {
  const place = byId('empty')
  place.hidden = false
  if (latest === undefined) place.replaceChildren(...whatToDo(view))
  else place.replaceChildren(...whereToLook(latest, look))
}

function whereToLook(latest: number, look: (change: Partial<View>) => void): HTMLElement[] {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' })
  const button = made('button', { type: 'button' }, 'Show the 30 days up to then')
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
    made('h2', {}, 'Nothing has been deployed here yet'),
    made('p', {}, 'Import the releases of a git repository, by tag, with the changes between them:'),
    made('pre', {}, `halyard import git ../your/repository ${place}`),
    made('p', {}, 'Or tell the API of each deployment, from the job that deploys:'),
    made('pre', {}, call),
  ]
}
