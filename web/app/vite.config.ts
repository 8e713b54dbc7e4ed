import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Two apps in one build. The server replaces `/__base__` with the service's own path (src/platform/http/app.ts). */
export default defineConfig({
  root: import.meta.dirname,
  base: '/__base__/app/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'files',
    target: 'es2023',
    // The server's policy allows only our own addresses, and no data URLs.
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
