export default defineNuxtConfig({
  telemetry: false,
  // By default the server is compiled for a version of JavaScript without `await` in modules.
  nitro: { esbuild: { options: { target: 'es2022' } } },
})
