/** Version of the build that the dashboard belongs to. */
declare const __VIGIL_VERSION__: string;
