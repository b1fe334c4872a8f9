import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { editProfiles, profilePath, readProfiles } from './profiles.ts'

async function emptyFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'halyard-profiles-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { XDG_CONFIG_HOME: folder }
}

it('concurrent changes of the profiles file are all saved', async () => {
  const env = await emptyFolder()
  const names = Array.from({ length: 20 }, (_, index) => `profile-${index}`)
  await Promise.all(
    names.map((name) =>
      editProfiles(env, ({ profiles }) => void Object.assign(profiles, { [name]: { project: name } })),
    ),
  )
  const { profiles } = await readProfiles(env)
  expect(Object.keys(profiles).sort()).toEqual([...names].sort())
  expect(await readdir(path.dirname(profilePath(env)))).toEqual(['profiles.json'])
})

it('a change that fails neither changes the profiles file nor leaves a temporary file', async () => {
  const env = await emptyFolder()
  await editProfiles(env, ({ profiles }) => void Object.assign(profiles, { first: { project: 'web' } }))
  const failing = editProfiles(env, ({ profiles }) => void Object.assign(profiles, { first: { output: 'xml' } }))
  await expect(failing).rejects.toThrow('the profile is not valid')
  expect(await readProfiles(env)).toEqual({ profiles: { first: { project: 'web' } } })
  expect(await readdir(path.dirname(profilePath(env)))).toEqual(['profiles.json'])
})

it('a temporary file that a killed process left does not stop later changes', async () => {
  const env = await emptyFolder()
  const draft = `${profilePath(env)}.part`
  await mkdir(path.dirname(draft), { recursive: true })
  await writeFile(draft, '{"prof')
  const earlier = Date.now() / 1_000 - 60
  await utimes(draft, earlier, earlier)
  await editProfiles(env, ({ profiles }) => void Object.assign(profiles, { first: {} }))
  expect(await readProfiles(env)).toEqual({ profiles: { first: {} } })
})
