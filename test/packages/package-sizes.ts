/** The maximum size of each published package in kB (1,000 bytes) unpacked. */
export const packageSizes: Readonly<Record<string, number>> = {
  '@halyard/cli': 420,
  '@halyard/client': 50,
  '@halyard/conformance': 420,
  // The package contains the console, and the insights page with its charts.
  '@halyard/console': 3_200,
  // The package contains the code, and the type declarations of every operation.
  '@halyard/core': 4_000,
  '@halyard/data-export': 30,
  '@halyard/import': 330,
  '@halyard/oauth-server': 60,
  '@halyard/mcp': 40,
  '@halyard/oidc': 20,
  // The package contains the OpenAPI document, and the page that renders it.
  '@halyard/openapi': 3_700,
  '@halyard/openfeature': 38,
  '@halyard/opentelemetry': 16,
  '@halyard/pages': 14,
  '@halyard/storage-memory': 60,
  '@halyard/storage-pglite': 16,
  '@halyard/storage-postgres': 185,
  '@halyard/storage-sqlite': 120,
  '@halyard/testing': 70,
  '@halyard/transport-express': 18,
  '@halyard/transport-fetch': 15,
  '@halyard/webhook-sender': 15,
}
