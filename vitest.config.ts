import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { longTests } from './test/setup/long-tests.ts'
import { oldestProject, resolveOldest } from './test/setup/oldest-versions.ts'

// Sources run unbuilt: every package exports its source under this condition.
const conditions = ['@halyard/source', 'node', 'development|production']

const report = process.env.HALYARD_TEST_REPORT

/**
 * Adds the manifests and the lock file to the keys of cached modules. A cached module contains the paths of the files
 * that it imports, and a manifest decides which file `@halyard/core` is.
 */
function manifestsInCacheKeys(): Plugin {
  const manifests = readdirSync('packages').map((name) => `packages/${name}/package.json`)
  const hash = createHash('sha256')
  for (const file of [...manifests, 'pnpm-lock.yaml']) hash.update(readFileSync(file))
  const key = hash.digest('hex')
  return {
    name: 'manifests-in-cache-keys',
    configureVitest: ({ experimental_defineCacheKeyGenerator: defineCacheKey }) => defineCacheKey(() => key),
  }
}

/** Suites whose files share no modules and globals with others. */
const isolatedSuites = 'test/published-client/mcp-*.test.ts'

/**
 * Operates the console in its suites by keyboard alone: each action first goes to its control by Tab and arrow keys.
 */
const keyboardProject: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'keyboard',
    include: ['packages/console/test/app-{journey,editors,administration}.test.ts'],
    globalSetup: './test/setup/start-services.ts',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
}

export default defineConfig({
  plugins: [manifestsInCacheKeys()],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A machine-readable report is written to the file that HALYARD_TEST_REPORT names.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    setupFiles: ['./test/setup/property-tests.ts'],
    maxWorkers: 2,
    // Tests make many objects that are used once. With a larger young generation, the suite of all operations takes a
    // tenth less processor time. V8 optimizes a function only after it has run for longer than by default: optimizing
    // code that a test runs a few times took a third of the processor time of the unit tests.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64', '--interrupt-budget=1000000'],
    // Compiling core and what it imports takes most of the time of a run of one file.
    experimental: { fsModuleCache: true },
    // Sources keep no state between tests, so files share them: reading them again for each file took most of the time.
    isolate: false,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/conventions/**', 'test/packages/**', isolatedSuites],
          globalSetup: './test/setup/start-services.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The published MCP server keeps the class `Response` that was global when it was first imported, and rejects
        // responses of another class. Its suites therefore share no modules and globals with others.
        extends: true,
        test: { name: 'isolated', include: [isolatedSuites], isolate: true, testTimeout: 60_000 },
      },
      {
        // Runs suites again with the oldest version of each peer dependency. The other projects have the newest
        // versions.
        extends: true,
        plugins: [resolveOldest()],
        test: {
          name: oldestProject,
          include: [
            'packages/{openfeature,opentelemetry,transport-express}/src/**/*.test.ts',
            'packages/testing/src/arbitraries/*.test.ts',
            'test/peer-versions.test.ts',
            'test/transports.test.ts',
            // Suites on databases of their own, and random documents that are compared with the SDKs.
            ...(longTests
              ? [
                  'test/storage-{pglite,postgres}.test.ts',
                  'test/transactions-on-postgres.test.ts',
                  'packages/import/src/{flagd,reference}/*.test.ts',
                ]
              : []),
          ],
          globalSetup: './test/setup/start-services.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      ...(longTests ? [keyboardProject] : []),
      {
        extends: true,
        test: { name: 'conventions', include: ['test/conventions/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: 'packages', include: ['test/packages/**/*.test.ts'], testTimeout: 60_000 },
      },
    ],
  },
})
