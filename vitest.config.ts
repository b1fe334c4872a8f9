import { defineConfig } from 'vitest/config'
import { longTests } from './test/setup/long-tests.ts'
import { oldestProject, resolveOldest } from './test/setup/oldest-versions.ts'

// Sources run unbuilt: every package exports its source under this condition.
const conditions = ['@halyard/source', 'node', 'development|production']

const report = process.env.HALYARD_TEST_REPORT

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A report for machines goes where the environment says.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    setupFiles: ['./test/setup/property-tests.ts'],
    maxWorkers: 2,
    // Sources keep nothing between tests, so that files may share them: reading them anew for each took most of the time.
    isolate: false,
    // The second that it would be is over soon where the machine is busy.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: 'house',
          include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/packages/**'],
          globalSetup: ['./test/setup/databases.ts', './test/setup/bundles.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Runs suites again with the oldest version of each peer dependency. The other projects have the newest versions.
        extends: true,
        plugins: [resolveOldest()],
        test: {
          name: oldestProject,
          include: [
            'packages/{openfeature,opentelemetry,transport-express}/src/**/*.test.ts',
            'packages/testing/src/arbitraries/*.test.ts',
            'test/storage-{pglite,postgres}.test.ts',
            'test/transactions-on-postgres.test.ts',
            'test/transports.test.ts',
            // Random documents, compared with the SDKs.
            ...(longTests ? ['packages/import/src/{flagd,reference}/*.test.ts'] : []),
          ],
          globalSetup: ['./test/setup/databases.ts', './test/setup/bundles.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'packages', include: ['test/packages/**/*.test.ts'], testTimeout: 60_000 },
      },
    ],
  },
})
