import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Two apps of one build. The server puts the service's own path in the place of `/__base__` (src/platform/http/app.ts). */
export default defineConfig({
  root: import.meta.dirname,
  base: '/__base__/app/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'files',
    target: 'es2023',
    // The server's policy allows no addresses but our own, and no data in them.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      input: {
        console: join(import.meta.dirname, 'console.html'),
        'chat-center': join(import.meta.dirname, 'chat-center.html'),
      },
    },
  },
});
