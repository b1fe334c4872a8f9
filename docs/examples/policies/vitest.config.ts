import { defineConfig } from 'vitest/config'

// In this repository packages run without a build; elsewhere the setup file is sufficient.
const conditions = ['@halyard/source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['docs/examples/policies/matchers.test.ts'],
    setupFiles: ['docs/examples/policies/vitest-setup.ts'],
  },
})
