import type { Engine } from '@halyard/core'

/** Environment in which the flag is turned on and off. */
export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

/** Creates project `web` with the flag `f`, which is off, and returns a function that turns it on or off. */
export async function createToggledFlag({ bootstrap, api }: Engine) {
  const as = (await bootstrap())?.token as string
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'f' } }, { as })
  const toggle = (kind: 'turnFlagOn' | 'turnFlagOff') =>
    api.patchFlag(
      {
        projectKey: 'web',
        flagKey: 'f',
        body: { environmentKey: 'production', instructions: [{ kind }] } as never,
      },
      { as },
    )
  return { as, turn: toggle }
}
