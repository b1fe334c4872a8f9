// One fresh process: what it is asked for is imported and timed, and the figures go to standard output.
const [what] = process.argv.slice(2)
const began = performance.now()

/** What a process pays that imports nothing of ours: the packages that core stands on. */
async function dependencies() {
  await Promise.all([import('valibot'), import('immer'), import('lru-cache')])
  return {}
}

async function core() {
  const { createEngine } = await import('@halyard/core')
  const importMs = performance.now() - began
  const { createMemoryStorage } = await import('@halyard/storage-memory')
  const storage = createMemoryStorage()
  const beforeEngine = performance.now()
  createEngine({ storage })
  return { importMs, engineMs: performance.now() - beforeEngine }
}

const { importMs = performance.now() - began, engineMs = 0 } = what === 'core' ? await core() : await dependencies()
console.log(JSON.stringify({ importMs, engineMs }))
