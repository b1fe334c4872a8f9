// One fresh process: imports what its argument names and prints the times to standard output.
const [what] = process.argv.slice(2)
const began = performance.now()

/** The baseline: imports only the packages that core depends on. */
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
