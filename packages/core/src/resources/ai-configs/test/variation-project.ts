import { aiProject } from './ai-project.ts'

/** Link from a variation to its config. */
export const parent = { href: '/api/v2/projects/web/ai-configs/chat', type: 'application/json' }

/**
 * Makes the project of {@link aiProject} with the config `chat` and a tool, two judges and a model config that
 * variations refer to.
 */
export async function withReferences() {
  const project = await aiProject()
  await project.tool('weather', { customParameters: { unit: 'celsius' } })
  await project.create('strict', { mode: 'judge' })
  await project.create('mild', { mode: 'judge' })
  await project.modelConfig('large')
  await project.create('chat')
  return project
}

/** Makes the property of a variation that has a quarter of its completions judged by these configs. */
export const judges = (...keys: string[]) => ({
  judgeConfiguration: { judges: keys.map((judgeConfigKey) => ({ judgeConfigKey, samplingRate: 0.25 })) },
})
