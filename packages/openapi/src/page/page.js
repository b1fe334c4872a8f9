// The renderer marks its dark theme by a class on the root element.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// The renderer would parse the document as YAML, although it is JSON, and that takes long for a document of this size.
const readAsJson = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_, { specActions }) =>
          (text) =>
            specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
})

SwaggerUIBundle({
  plugins: [readAsJson],
  url: 'openapi.json',
  domNode: document.getElementById('api'),
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  defaultModelRendering: 'example',
  displayRequestDuration: true,
  // The page sends no request to another server, not even to validate the document.
  validatorUrl: null,
})
