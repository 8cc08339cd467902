import { lazy } from 'react';
import { createBrowserRouter, Navigate, RouterProvider } from 'react-router';
import { dashboardPath } from './api/base-url.ts';
import { Nothing } from './components/states.tsx';
import { Shell } from './shell/shell.tsx';

const Overview = lazy(async () => ({ default: (await import('./pages/overview/overview-page.tsx')).OverviewPage }));

const router = createBrowserRouter(
  [
    {
      element: <Shell />,
      children: [
        { index: true, element: <Navigate to="/overview" replace /> },
        { path: 'overview', element: <Overview /> },
        { path: '*', element: <Nothing title="There is no such page" /> },
      ],
    },
  ],
  { basename: dashboardPath() },
);

/** Every page by its path; a page's code is loaded when it is opened. */
export function Pages() {
  return <RouterProvider router={router} />;
}
