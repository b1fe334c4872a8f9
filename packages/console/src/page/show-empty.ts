import { byId, createElement } from './dom.ts'
import { dayOf, type View } from './view.ts'

/**
 * Displays instructions when there is nothing to show.
 * @param latest time of the latest deployment, ms; undefined when there has been none.
 * @param changeView changes the range of the view.
 */
export function showEmpty(view: View, latest: number | undefined, changeView: (change: Partial<View>) => void): void {
  const container = byId('empty')
  container.hidden = false
  if (latest === undefined) container.replaceChildren(...instructionElements(view))
  else container.replaceChildren(...latestDeploymentElements(latest, changeView))
}

function latestDeploymentElements(latest: number, changeView: (change: Partial<View>) => void): HTMLElement[] {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' })
  const button = createElement('button', { type: 'button' }, 'Show the 30 days up to this date')
  const range = { range: 'custom', from: dayOf(latest - 29 * 86_400_000), to: dayOf(latest), application: '' }
  button.addEventListener('click', () => changeView(range))
  return [
    createElement('h2', {}, 'Nothing was deployed in this range'),
    createElement('p', {}, `The latest deployment was on ${format.format(latest)}.`),
    button,
  ]
}

function instructionElements({ project, environment }: View): HTMLElement[] {
  const body = JSON.stringify({
    projectKey: project,
    environmentKey: environment,
    applicationKey: 'my-application',
    version: '1.0.0',
    eventType: 'finished',
  })
  const cliOptions = `--project ${project} --environment ${environment} --url ${location.origin} --token <token>`
  const call = [
    `curl -X POST '${new URL('api/v2/engineering-insights/deployment-events', location.href)}' \\`,
    "  -H 'Authorization: <token>' -H 'Content-Type: application/json' \\",
    `  -H '${document.querySelector<HTMLMetaElement>('meta[name="halyard-version-header"]')!.content}: beta' \\`,
    `  -d '${body}'`,
  ].join('\n')
  return [
    createElement('h2', {}, 'There are no deployments yet'),
    createElement('p', {}, 'Import the releases of a git repository, by tag, with the changes between them:'),
    createElement('pre', {}, `halyard import git ../your/repository ${cliOptions}`),
    createElement('p', {}, 'Or send each deployment to the API, from the job that deploys:'),
    createElement('pre', {}, call),
  ]
}
