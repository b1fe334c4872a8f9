import { aiProject } from './ai-project.ts'

export const clause = (overrides: object = {}) => ({
  attribute: 'email',
  op: 'endsWith',
  values: ['@example.com'],
  ...overrides,
})

/** Creates a config `chat` with the variations `a` and `b`, and returns their ids. */
export async function withChat() {
  const project = await aiProject()
  const { variations } = await project.create('chat', { tags: ['shop'], defaultVariation: { key: 'a', name: 'A' } })
  const { _id: b } = await project.addVariation('chat', 'b', { name: 'B', description: 'the other' })
  return { ...project, a: variations[0]?._id ?? '', b }
}
