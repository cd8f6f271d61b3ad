//! Logs on standard error; and, built with the feature `otel`, spans of calls to a collector.

use std::io::IsTerminal as _;

use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

use crate::commands::serve::LogFormat;
use crate::failure::Failure;

/// Starts logging. A server tells what it does, in this format; the other commands only what is wrong. What a server still
/// has to export is exported when the guard is dropped.
pub(crate) fn start(filter: Option<&str>, serving: Option<LogFormat>) -> Result<Guard, Failure> {
    let default = if serving.is_some() { "info" } else { "warn" };
    let filter = match filter.filter(|f| !f.is_empty()) {
        None => EnvFilter::new(default),
        Some(filter) => EnvFilter::try_new(filter).map_err(|e| {
            Failure::rule(
                "--log",
                format!("{filter:?} is no filter ({e}); try `info` or `server=debug,warn`"),
            )
        })?,
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    let lines = match serving {
        Some(LogFormat::Text) => lines.boxed(),
        Some(LogFormat::Json) => lines.json().flatten_event(true).boxed(),
        None => lines.without_time().boxed(),
    };
    let subscriber = tracing_subscriber::registry().with(filter).with(lines);
    #[cfg(feature = "otel")]
    if serving.is_some() && std::env::var_os("OTEL_EXPORTER_OTLP_ENDPOINT").is_some() {
        let (layer, guard) = otel::export()?;
        subscriber.with(layer).init();
        return Ok(guard);
    }
    subscriber.init();
    Ok(Guard::default())
}

/// What has to be finished at the end.
#[derive(Default)]
pub(crate) struct Guard {
    #[cfg(feature = "otel")]
    provider: Option<opentelemetry_sdk::trace::SdkTracerProvider>,
}

#[cfg(feature = "otel")]
mod otel {
    //! Spans by OTLP over gRPC, to where `OTEL_EXPORTER_OTLP_ENDPOINT` says.

    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_otlp::SpanExporter;
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::{SdkTracerProvider, Tracer};
    use tracing::Subscriber;
    use tracing_opentelemetry::OpenTelemetryLayer;
    use tracing_subscriber::registry::LookupSpan;

    use super::Guard;
    use crate::failure::Failure;

    pub(super) fn export<S>() -> Result<(OpenTelemetryLayer<S, Tracer>, Guard), Failure>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        let exporter = SpanExporter::builder()
            .with_tonic()
            .build()
            .map_err(|e| Failure::no(format!("spans cannot be exported ({e})")))?;
        let provider = SdkTracerProvider::builder()
            .with_resource(Resource::builder().with_service_name("doublecross").build())
            .with_batch_exporter(exporter)
            .build();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("doublecross"));
        Ok((layer, Guard { provider: Some(provider) }))
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            if let Some(provider) = self.provider.take()
                && let Err(e) = provider.shutdown()
            {
                tracing::warn!("the last spans were not exported ({e})");
            }
        }
    }
}
