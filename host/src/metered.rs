//! An engine that counts what a module executes.
//!
//! wasmtime counts fuel if its engine is told to, roughly a unit per instruction, and always the same for the same
//! module and input: unlike time, it can be compared between machines. But fuel belongs to a store, and the
//! provider of `wasmtime-provider` keeps its store to itself. This one does the same with a store of its own; only
//! measurements use it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wapc::{ModuleState, WebAssemblyEngineProvider, wapc_functions as names};
use wasmtime_provider::wasmtime::error::format_err;
use wasmtime_provider::wasmtime::{
    Caller, Config, Engine, Error, Extern, InstancePre, Linker, Memory, Module, Result, Store, TypedFunc,
};
use wasmtime_provider::wasmtime_wasi::WasiCtxBuilder;
use wasmtime_provider::wasmtime_wasi::p1::{self, WasiP1Ctx};

/// More than any evaluation can burn.
const TANK: u64 = u64::MAX;

/// What an evaluation took.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    /// Fuel burnt.
    pub(crate) fuel: AtomicU64,
    /// Bytes of memory in the end.
    pub(crate) memory: AtomicU64,
}

/// A module, compiled and linked for counting.
#[derive(Clone)]
pub(crate) struct MeteredPre {
    engine: Engine,
    pre: InstancePre<State>,
}

struct State {
    wasi: WasiP1Ctx,
    host: Arc<ModuleState>,
}

impl MeteredPre {
    /// Compiles a module.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self> {
        let mut config = Config::new();
        config.consume_fuel(true);
        let engine = Engine::new(&config)?;
        let mut linker = Linker::new(&engine);
        p1::add_to_linker_sync(&mut linker, |state: &mut State| &mut state.wasi)?;
        add_wapc(&mut linker)?;
        let pre = linker.instantiate_pre(&Module::new(&engine, bytes)?)?;
        Ok(Self { engine, pre })
    }

    /// A provider of one instance, which writes what that takes to `meter`.
    pub(crate) fn provider(&self, meter: Arc<Meter>) -> Metered {
        Metered { pre: self.clone(), instance: None, meter }
    }
}

/// A provider of one instance.
pub(crate) struct Metered {
    pre: MeteredPre,
    instance: Option<Instance>,
    meter: Arc<Meter>,
}

struct Instance {
    store: Store<State>,
    call: TypedFunc<(i32, i32), i32>,
    memory: Option<Memory>,
    host: Arc<ModuleState>,
}

type Boxed<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

impl WebAssemblyEngineProvider for Metered {
    fn init(&mut self, host: Arc<ModuleState>) -> Boxed<()> {
        let state = State { wasi: WasiCtxBuilder::new().inherit_stdio().build_p1(), host: Arc::clone(&host) };
        let mut store = Store::new(&self.pre.engine, state);
        store.set_fuel(TANK)?;
        let instance = self.pre.pre.instantiate(&mut store)?;
        for start in names::REQUIRED_STARTS {
            if instance.get_export(&mut store, start).is_some() {
                instance.get_typed_func::<(), ()>(&mut store, start)?.call(&mut store, ())?;
            }
        }
        let call = instance.get_typed_func(&mut store, names::GUEST_CALL)?;
        let memory = instance.get_memory(&mut store, "memory");
        self.instance = Some(Instance { store, call, memory, host });
        Ok(())
    }

    fn call(&mut self, operation_len: i32, payload_len: i32) -> Boxed<i32> {
        let Instance { store, call, memory, host } = self.instance.as_mut().ok_or("no instance yet")?;
        let result = call.call(&mut *store, (operation_len, payload_len));
        self.meter.fuel.store(TANK - store.get_fuel()?, Ordering::Relaxed);
        let bytes = memory.map_or(0, |memory| memory.data_size(&*store));
        self.meter.memory.store(u64::try_from(bytes)?, Ordering::Relaxed);
        result.or_else(|error| {
            host.set_guest_error(error.to_string());
            Ok(0)
        })
    }

    fn replace(&mut self, _module: &[u8]) -> Boxed<()> {
        Err("a metered module is not replaced".into())
    }
}

/// The functions of waPC that a module imports.
fn add_wapc(linker: &mut Linker<State>) -> Result<()> {
    let wapc = wapc::HOST_NAMESPACE;
    linker.func_wrap(
        wapc,
        names::GUEST_REQUEST_FN,
        |mut caller: Caller<'_, State>, operation: i32, payload: i32| {
            let Some(request) = caller.data().host.get_guest_request() else { return Ok(()) };
            write(&mut caller, payload, &request.msg)?;
            write(&mut caller, operation, request.operation.as_bytes())
        },
    )?;
    linker.func_wrap(wapc, names::HOST_CONSOLE_LOG, |mut caller: Caller<'_, State>, at: i32, len: i32| {
        let text = read(&mut caller, at, len)?;
        caller.data().host.do_console_log(&String::from_utf8_lossy(&text));
        Ok(())
    })?;
    linker.func_wrap(
        wapc,
        names::HOST_CALL,
        |mut caller: Caller<'_, State>,
         binding: i32,
         binding_len: i32,
         namespace: i32,
         namespace_len: i32,
         operation: i32,
         operation_len: i32,
         payload: i32,
         payload_len: i32| {
            let mut text = |at, len| Ok::<_, Error>(String::from_utf8_lossy(&read(&mut caller, at, len)?).into_owned());
            let binding = text(binding, binding_len)?;
            let namespace = text(namespace, namespace_len)?;
            let operation = text(operation, operation_len)?;
            let payload = read(&mut caller, payload, payload_len)?;
            let host = Arc::clone(&caller.data().host);
            host.do_host_call(&binding, &namespace, &operation, &payload).map_err(|error| format_err!("{error}"))
        },
    )?;
    linker.func_wrap(wapc, names::HOST_RESPONSE_FN, |mut caller: Caller<'_, State>, at: i32| {
        let host = Arc::clone(&caller.data().host);
        host.with_host_response(|bytes| write(&mut caller, at, bytes)).unwrap_or(Ok(()))
    })?;
    linker.func_wrap(wapc, names::HOST_RESPONSE_LEN_FN, |caller: Caller<'_, State>| {
        i32::try_from(caller.data().host.host_response_len()).map_err(Error::from)
    })?;
    linker.func_wrap(wapc, names::GUEST_RESPONSE_FN, |mut caller: Caller<'_, State>, at: i32, len: i32| {
        let bytes = read(&mut caller, at, len)?;
        caller.data().host.set_guest_response(bytes);
        Ok(())
    })?;
    linker.func_wrap(wapc, names::GUEST_ERROR_FN, |mut caller: Caller<'_, State>, at: i32, len: i32| {
        let bytes = read(&mut caller, at, len)?;
        caller.data().host.set_guest_error(String::from_utf8_lossy(&bytes).into_owned());
        Ok(())
    })?;
    linker.func_wrap(wapc, names::HOST_ERROR_FN, |mut caller: Caller<'_, State>, at: i32| {
        let error = caller.data().host.get_host_error().unwrap_or_default();
        write(&mut caller, at, error.as_bytes())
    })?;
    linker.func_wrap(wapc, names::HOST_ERROR_LEN_FN, |caller: Caller<'_, State>| {
        i32::try_from(caller.data().host.get_host_error().unwrap_or_default().len()).map_err(Error::from)
    })?;
    Ok(())
}

fn memory(caller: &mut Caller<'_, State>) -> Result<Memory> {
    let export = caller.get_export("memory").and_then(Extern::into_memory);
    export.ok_or_else(|| format_err!("the module exports no memory"))
}

fn read(caller: &mut Caller<'_, State>, at: i32, len: i32) -> Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(len)?];
    memory(caller)?.read(&caller, usize::try_from(at)?, &mut bytes)?;
    Ok(bytes)
}

fn write(caller: &mut Caller<'_, State>, at: i32, bytes: &[u8]) -> Result<()> {
    memory(caller)?.write(caller, usize::try_from(at)?, bytes)?;
    Ok(())
}
